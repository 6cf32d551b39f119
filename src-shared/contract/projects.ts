import { z } from 'zod'
import type { FileAttachment } from './attachments.ts'
import type { ProjectId, ServerId } from './ids.ts'
import { type Given, id, line, text } from './schema-parts.ts'
import { INSTRUCTIONS_LENGTH, type ModelRef, modelRef, toolSwitches } from './settings.ts'

/** Folders of one server. */
export const ROOT_LIMIT = 32

/** A folder or file to share as a root. Roots guide a server and do not confine it (ROOT-20). */
export type FolderChoice = Given<typeof folderChoice>
const folderChoice = () =>
  z.strictObject({
    path: line(),
    /** Sent to servers; by default the folder's own name. */
    name: text(200).exactOptional(),
    /** Files in it may be changed without a question, except those that programs run or models obey. */
    editable: z.literal(true).exactOptional(),
  })
export const folderChoices = () => z.array(folderChoice()).max(ROOT_LIMIT)

/** A folder that is not `shared` is left out of the server's roots until it is back. */
export interface SharedFolder extends FolderChoice {
  readonly state: 'shared' | 'missing' | 'unreadable'
}

export interface FolderListing {
  /** Absolute. */
  readonly path: string
  readonly parent?: string
  readonly folders: readonly string[]
  /** Present if they were asked for. */
  readonly files?: readonly string[]
  readonly suggestions: readonly string[]
  readonly truncated: boolean
}

/** Offered to the person, never shared automatically (ROOT-19). */
export interface FolderSuggestion extends FolderChoice {
  /** “Git repository that the server runs in”. */
  readonly why: string
  /** The path is part of the server's launch, so the server knows it already. */
  readonly launched?: true
}

export const PROJECT_LIMIT = 100
/** Characters; a name is one line. */
export const PROJECT_NAME_LENGTH = 80
/** Hosts of one place, and recipients. */
export const NAMED_LIMIT = 50
export const NAMED_LENGTH = 320

/** Known servers may read in these folders and hosts without a question; calls that leave them are marked. */
export type Place = Given<typeof place>
export const place = () =>
  z.strictObject({
    folders: folderChoices(),
    /** As in `URL.host`. */
    hosts: z.array(text(NAMED_LENGTH)).max(NAMED_LIMIT),
    /** People and channels. */
    recipients: z.array(text(NAMED_LENGTH)).max(NAMED_LIMIT),
  })

export { NO_PLACE } from './plain-values.ts'

/** A project in the snapshot; `project.read` gives all of it. */
export interface ProjectHead {
  readonly id: ProjectId
  readonly name: string
  /** For new conversations. */
  readonly model?: ModelRef
  /** Differs after each change. */
  readonly changedAt: number
}

export type ProjectChange = Partial<Given<typeof projectChange>>
export const projectChange = () =>
  z.strictObject({
    name: text(PROJECT_NAME_LENGTH),
    /** Given to models in all its conversations. */
    instructions: text(INSTRUCTIONS_LENGTH),
    place: place(),
    /** In addition to those of a conversation. */
    switches: toolSwitches(),
    /** Servers that get its folders as roots, as they are launched now. */
    toldTo: z.array(id<ServerId>()).max(200),
    model: modelRef().nullable(),
  })

export interface Project extends Required<ProjectChange> {
  readonly id: ProjectId
  /** Snapshots for models in all its conversations; the limits are those of one message. */
  readonly files: readonly FileAttachment[]
  readonly createdAt: number
}
