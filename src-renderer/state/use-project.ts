import { useState } from 'react'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import type { Project, ProjectChange, ProjectHead } from '../../src-shared/contract/projects.ts'
import { ask } from './ask.ts'
import { useHost } from './host-store.ts'
import { useRequest } from './use-request.ts'

export interface UsedProject {
  /** Undefined where there is none of this id. */
  readonly head: ProjectHead | undefined
  /** All of it, once it is read. */
  readonly project: Project | undefined
  /** Why it cannot be read. */
  readonly problem: string | undefined
  readonly change: (wanted: ProjectChange) => Promise<void>
}

/** A project as the host has it. What this window changed counts until the host tells of the next change, this one or another's. */
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
  // Of the one before, until this one is read.
  return { head, project: latest?.id === id ? latest : undefined, problem, change }
}
