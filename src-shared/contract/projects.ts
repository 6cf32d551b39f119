import { z } from 'zod'
import type { FileAttachment } from './attachments.ts'
import type { ProjectId, ServerId } from './ids.ts'
import { type Given, id, line, text } from './schema-parts.ts'
import { INSTRUCTIONS_LENGTH, type ModelRef, modelRef, toolSwitches } from './settings.ts'

/** The most folders that one server may be told of. */
export const ROOT_LIMIT = 32

/** A folder or file that a server is told of, by absolute path. Roots guide a server; they are no sandbox (ROOT-20). */
export type FolderChoice = Given<typeof folderChoice>
const folderChoice = () =>
  z.strictObject({
    path: line(),
    /** The name that servers are told; the folder's own when absent. */
    name: text(200).exactOptional(),
    /** Files in it may be changed without a question, but for those that programs or models obey. */
    editable: z.literal(true).exactOptional(),
  })
export const folderChoices = () => z.array(folderChoice()).max(ROOT_LIMIT)

/** A folder as it is shared now. One that is not `shared` is not told to the server until it is there again. */
export interface SharedFolder extends FolderChoice {
  readonly state: 'shared' | 'missing' | 'unreadable'
}

export interface FolderListing {
  /** Absolute. */
  readonly path: string
  readonly parent?: string
  readonly folders: readonly string[]
  readonly suggestions: readonly string[]
  readonly truncated: boolean
}

/** Never shared by itself: something that a person may want to choose (ROOT-19). */
export interface FolderSuggestion extends FolderChoice {
  /** “Git repository that the server runs in”. */
  readonly why: string
}

export const PROJECT_LIMIT = 100
/** Characters of a project's name, which stands on one line. */
export const PROJECT_NAME_LENGTH = 80
/** Sites that are named for one place, and people. */
export const NAMED_LIMIT = 50
export const NAMED_LENGTH = 320

/** Folders, hosts and recipients named beforehand: known servers may read there without a question, and calls outside are marked. */
export type Place = Given<typeof place>
export const place = () =>
  z.strictObject({
    folders: folderChoices(),
    /** As an address has them: with the port where it is not the usual one. */
    hosts: z.array(text(NAMED_LENGTH)).max(NAMED_LIMIT),
    /** Addresses of people, channels. */
    recipients: z.array(text(NAMED_LENGTH)).max(NAMED_LIMIT),
  })

export { NO_PLACE } from './plain-values.ts'

/** A project in the list; the whole comes by `project.read`. */
export interface ProjectHead {
  readonly id: ProjectId
  readonly name: string
  /** The start of a new conversation in it. */
  readonly model?: ModelRef
  /** Another number whenever something of it was changed. */
  readonly changedAt: number
}

export type ProjectChange = Partial<Given<typeof projectChange>>
export const projectChange = () =>
  z.strictObject({
    name: text(PROJECT_NAME_LENGTH),
    /** Told to the model of every conversation in it. */
    instructions: text(INSTRUCTIONS_LENGTH),
    place: place(),
    /** Servers and tools that are not offered in it, in addition to those of a conversation. */
    switches: toolSwitches(),
    /** Servers that are told of its folders (roots), as they are launched now. */
    toldTo: z.array(id<ServerId>()).max(200),
    model: modelRef().nullable(),
  })

/** Instructions, folders and tools that several conversations share. */
export interface Project extends Required<ProjectChange> {
  readonly id: ProjectId
  /** Given to the model in every conversation in it, as they were when they were added: as many and as large as go with a message. */
  readonly files: readonly FileAttachment[]
  readonly createdAt: number
}
