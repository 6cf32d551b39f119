import { z } from 'zod'
import { type Given, line, text } from './schema-parts.ts'

/** The most folders that one server may be told of. */
export const ROOT_LIMIT = 32

/** A folder or file that a server is told of, by absolute path. Roots guide a server; they are no sandbox (ROOT-20). */
export type FolderChoice = Given<typeof folderChoice>
const folderChoice = () =>
  z.strictObject({
    path: line(),
    /** What the server is told it is called; the folder's own name when absent. */
    name: text(200).exactOptional(),
  })
export const folderChoices = () => z.array(folderChoice()).max(ROOT_LIMIT)

/** A folder as it is shared now. One that is not `shared` is not told to the server until it is there again. */
export interface SharedFolder extends FolderChoice {
  readonly state: 'shared' | 'missing' | 'unreadable'
}

/** Never shared by itself: something that a person may want to choose (ROOT-19). */
export interface FolderSuggestion extends FolderChoice {
  /** “Git repository that the server runs in”. */
  readonly why: string
}
