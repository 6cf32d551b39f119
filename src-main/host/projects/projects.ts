import { randomUUID } from 'node:crypto'
import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { ATTACHMENT_LIMIT, FILES_LIMIT, type FileAttachment } from '../../../src-shared/contract/attachments.ts'
import type { NamedPlace } from '../../../src-shared/contract/consent.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { AttachmentId, ProjectId, ProviderId, ServerId } from '../../../src-shared/contract/ids.ts'
import {
  NO_PLACE,
  type Place,
  PROJECT_LIMIT,
  type Project,
  type ProjectChange,
  type ProjectHead,
} from '../../../src-shared/contract/projects.ts'
import { NO_SWITCHES, type ToolSwitches } from '../../../src-shared/contract/settings.ts'
import type { StoredProject } from '../../storage/base/storage.ts'
import type { ServerRoots } from '../client-features/server-roots.ts'
import type { HostCore } from '../core/host-core.ts'
import { tidyPlace } from './tidy-place.ts'

/** Removed files that can be restored. */
const MAX_REMOVED_FILES = 24

interface ProjectsParts extends Pick<HostCore, 'storage' | 'state' | 'clock' | 'folders'> {
  readonly roots: Pick<ServerRoots, 'shareFromProject'>
}

type KeptProject = StoredProject & Pick<Project, 'files'>

/** The parts of a project that its conversations use. */
export interface ProjectGuidance {
  readonly name: string
  readonly instructions: string
  readonly switches: ToolSwitches
  readonly files: readonly FileAttachment[]
}

/** Projects: instructions, a place and tools that conversations share. */
export class Projects {
  readonly #parts: ProjectsParts
  readonly #projects = new Map<ProjectId, KeptProject>()
  readonly #changes = new InTurn()
  /** Removed files by project and file, the oldest first, in memory only. */
  readonly #takenOut = new Map<string, FileAttachment>()

  constructor(parts: ProjectsParts) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    for (const [id, stored] of await this.#parts.storage.records.all('project'))
      this.#projects.set(id as ProjectId, { ...stored, files: stored.files ?? [] })
    for (const id of this.#projects.keys()) await this.#shareFolders(id)
    this.#show()
  }

  find(id: ProjectId | undefined): ProjectHead | undefined {
    return this.#parts.state.snapshot.projects.find((project) => project.id === id)
  }

  guidanceOf(id: ProjectId | undefined): ProjectGuidance | undefined {
    return id && this.#projects.get(id)
  }

  switchesOf(id: ProjectId): ToolSwitches | undefined {
    return this.#projects.get(id)?.switches
  }

  /** A conversation's own place together with its project's. */
  placeOf(own: Place, id: ProjectId | undefined): NamedPlace {
    const shared = (id && this.#projects.get(id)?.place) ?? NO_PLACE
    const folders = [...own.folders, ...shared.folders]
    return {
      folders: distinct(folders.map(({ path }) => path)),
      editable: distinct(folders.flatMap(({ path, editable }) => (editable ? path : []))),
      hosts: distinct([...own.hosts, ...shared.hosts]),
      recipients: distinct([...own.recipients, ...shared.recipients]),
    }
  }

  create(name: string): Promise<{ id: ProjectId }> {
    return this.#changes.run(async () => {
      if (this.#projects.size >= PROJECT_LIMIT) throw new HostError('refused', `You already have ${PROJECT_LIMIT} projects.`)
      const now = this.#parts.clock.now()
      const id = randomUUID() as ProjectId
      const empty = { instructions: '', place: NO_PLACE, switches: NO_SWITCHES, toldTo: [], model: null, files: [] }
      await this.#keep(id, { ...empty, name: this.#checkedName(name), createdAt: now, changedAt: now })
      return { id }
    })
  }

  read(id: ProjectId): Project {
    const { changedAt: _changedAt, ...project } = this.#existing(id)
    const current = project.toldTo.filter(({ serverId, launchIdentity }) => this.#identity(serverId) === launchIdentity)
    return { ...project, id, toldTo: current.map(({ serverId }) => serverId as ServerId) }
  }

  change(id: ProjectId, change: ProjectChange): Promise<void> {
    return this.#changes.run(async () => {
      const before = this.#existing(id)
      const { name, place, toldTo, ...rest } = change
      const { clock } = this.#parts
      await this.#keep(id, {
        ...before,
        ...rest,
        ...(name !== undefined && { name: this.#checkedName(name, id) }),
        ...(place && { place: await tidyPlace(place, before.place, this.#parts) }),
        ...(toldTo && {
          toldTo: distinct(toldTo).map((serverId) => ({ serverId, launchIdentity: this.#identity(serverId) ?? '' })),
        }),
        changedAt: Math.max(clock.now(), before.changedAt + 1),
      })
      if (place || toldTo) await this.#shareFolders(id)
    })
  }

  /** Throws HostError `refused` when a file of so many bytes would exceed the project's limits. */
  askForRoom(id: ProjectId, bytes = 0): void {
    const { files } = this.#existing(id)
    const all = files.reduce((sum, { size }) => sum + size, bytes)
    if (files.length < ATTACHMENT_LIMIT && all <= FILES_LIMIT) return
    const most = `${ATTACHMENT_LIMIT} files and ${FILES_LIMIT / (1024 * 1024)} MB`
    throw new HostError('refused', `A project holds at most ${most}. Remove one before you add another.`)
  }

  addFile(id: ProjectId, file: FileAttachment): Promise<void> {
    return this.#changes.run(() => {
      this.askForRoom(id, file.size)
      return this.#changeFiles(id, (files) => [...files, file])
    })
  }

  removeFile(id: ProjectId, fileId: AttachmentId): Promise<void> {
    return this.#changes.run(async () => {
      const taken = this.#existing(id).files.find((file) => file.id === fileId)
      if (!taken) return
      await this.#changeFiles(id, (files) => files.filter((file) => file !== taken))
      dropOldest(this.#takenOut.set(`${id}/${fileId}`, taken), MAX_REMOVED_FILES)
    })
  }

  async restoreFile(id: ProjectId, fileId: AttachmentId): Promise<void> {
    const taken = this.#takenOut.get(`${id}/${fileId}`)
    if (!taken) throw new HostError('not-found', 'This file is no longer here. Add it again.')
    await this.addFile(id, taken)
    this.#takenOut.delete(`${id}/${fileId}`)
  }

  remove(id: ProjectId): Promise<void> {
    return this.#changes.run(async () => {
      this.#existing(id)
      const { storage, state, roots } = this.#parts
      await storage.records.remove('project', id)
      this.#projects.delete(id)
      // From here on Conversations writes no head with this project, because it is gone.
      this.#show()
      await roots.shareFromProject(id, '', [], [])
      await storage.conversations.leaveProject(id)
      for (const { project, ...head } of state.snapshot.conversations) {
        if (project === id) state.emit({ type: 'conversation.changed', head })
      }
    })
  }

  forgetServer(serverId: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      for (const [id, project] of [...this.#projects]) {
        const toldTo = project.toldTo.filter((one) => one.serverId !== serverId)
        if (toldTo.length === project.toldTo.length) continue
        await this.#keep(id, { ...project, toldTo, changedAt: project.changedAt + 1 })
        await this.#shareFolders(id)
      }
    })
  }

  /** Removes a provider's model from projects, so that new conversations begin with the default one. */
  forgetProvider(providerId: ProviderId): Promise<void> {
    return this.#changes.run(async () => {
      for (const [id, project] of [...this.#projects]) {
        if (project.model?.provider !== providerId) continue
        await this.#keep(id, { ...project, model: null, changedAt: project.changedAt + 1 })
      }
    })
  }

  async #changeFiles(id: ProjectId, change: (files: readonly FileAttachment[]) => readonly FileAttachment[]): Promise<void> {
    const before = this.#existing(id)
    const changedAt = Math.max(this.#parts.clock.now(), before.changedAt + 1)
    await this.#keep(id, { ...before, files: change(before.files), changedAt })
  }

  async #keep(id: ProjectId, project: KeptProject): Promise<void> {
    await this.#parts.storage.records.put('project', id, project)
    this.#projects.set(id, project)
    this.#show()
  }

  #shareFolders(id: ProjectId): Promise<void> {
    const { name, place, toldTo } = this.#existing(id)
    return this.#parts.roots.shareFromProject(id, name, place.folders, toldTo)
  }

  #show(): void {
    const heads = [...this.#projects].map(([id, { name, model, changedAt }]): ProjectHead => {
      return { id, name, changedAt, ...(model && { model }) }
    })
    const projects = heads.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
    this.#parts.state.emit({ type: 'projects.changed', projects })
  }

  /** The name on one line. Throws HostError `invalid-params` when it is empty or taken. */
  #checkedName(typed: string, own?: ProjectId): string {
    const name = typed.trim().replace(/\s+/g, ' ')
    if (name === '') throw new HostError('invalid-params', 'A project needs a name.')
    const taken = [...this.#projects].some(([id, project]) => id !== own && project.name === name)
    if (taken) throw new HostError('invalid-params', `A project named “${name}” already exists.`)
    return name
  }

  #existing(id: ProjectId): KeptProject {
    const project = this.#projects.get(id)
    if (!project) throw new HostError('not-found', 'This project no longer exists.')
    return project
  }

  #identity(serverId: string): string | undefined {
    return this.#parts.state.snapshot.servers[serverId as ServerId]?.launchIdentity
  }
}

const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)]
