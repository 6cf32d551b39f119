import type { Problem } from './errors.ts'

/** What a desktop shell can do on this system. Settings show nothing that it cannot. */
export type DesktopPower = 'tray' | 'login-item' | 'spell-check' | 'notifications' | 'updates'

export interface Desktop {
  readonly powers: readonly DesktopPower[]
  /** Absent while no feed of updates is configured. */
  readonly update?: UpdateState
}

export type UpdateState =
  /** Nobody has looked since the start. */
  | { readonly is: 'unknown' }
  | { readonly is: 'checking' }
  | { readonly is: 'newest' }
  | { readonly is: 'available'; readonly version: string }
  | { readonly is: 'downloading'; readonly version: string; readonly share: number }
  /** Checked and on the disk; installed when the person says so. */
  | { readonly is: 'ready'; readonly version: string }
  | { readonly is: 'failed'; readonly problem: Problem }

/** A file that the system handed to the app; the page reads it by its link. */
export interface OpenedFile {
  readonly name: string
  readonly url: string
}

/**
 * What a desktop shell asks of its window: a menu, the tray, a link or a file leads there. It shows and prepares, and never adds, starts
 * or sends anything.
 */
export type WindowOrder =
  | { readonly is: 'go'; readonly section: 'conversations' | 'servers' | 'inbox' | 'settings'; readonly id?: string }
  | { readonly is: 'find' | 'palette' | 'shortcuts' }
  /** A text from outside that may name servers: opens the review of an import with it. */
  | { readonly is: 'review'; readonly text: string }
  | { readonly is: 'files'; readonly files: readonly OpenedFile[] }
