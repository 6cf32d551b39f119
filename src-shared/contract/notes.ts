import type { NoteId } from './ids.ts'

/** An answer that the person saved. */
export interface NoteHead {
  readonly id: NoteId
  readonly title: string
  readonly savedAt: number
}

export const NOTE_LIMIT = 200
