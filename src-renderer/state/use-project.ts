import { useState } from 'react'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import type { Project, ProjectChange, ProjectHead } from '../../src-shared/contract/projects.ts'
import { ask } from './ask.ts'
import { useHost } from './host-store.ts'
import { useRequest } from './use-request.ts'

export interface UsedProject {
  /** Undefined when there is no such project. */
  readonly head: ProjectHead | undefined
  readonly project: Project | undefined
  readonly problem: string | undefined
  readonly change: (wanted: ProjectChange) => Promise<void>
}

/** A project as the host has it. A change by this window is shown until the host reports the next change. */
export function useProject(id: ProjectId | undefined): UsedProject {
  const head = useHost(({ host }) => host.projects.find((project) => project.id === id))
  const { value, problem } = useRequest('project.read', head && { id: head.id }, { refetchOn: [head?.changedAt] })
  const [changed, setChanged] = useState<{ readonly from: Project | undefined; readonly project: Project }>()
  const latest = changed && changed.from === value ? changed.project : value
  const change = async (wanted: ProjectChange) => {
    if (id === undefined) return
    await ask('project.change', { id, change: wanted })
    setChanged({ from: value, project: await ask('project.read', { id }) })
  }
  // The last answer may still be of the project before.
  return { head, project: latest?.id === id ? latest : undefined, problem, change }
}
