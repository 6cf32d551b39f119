import type { PageText } from './page-text.ts'

export interface PdfJob {
  readonly bytes: Uint8Array
  /** The most characters to read. */
  readonly most: number
  /** The most milliseconds to read. */
  readonly time: number
}

export interface PdfText {
  readonly is: 'text'
  readonly text: string
  readonly pages: number
  /** The last page whose text is in `text`. */
  readonly read: number
  /** True when there is more text. */
  readonly cut: boolean
  /** Encrypted although it opens without a password: no provider accepts it. */
  readonly encrypted: boolean
}

export type PdfAnswer = PdfText | { readonly is: 'unread'; readonly why: 'locked' | 'broken' }

/** A PDF file, or a web page; the answer is one of the same kind. */
export type DocumentJob = PdfJob | { readonly html: string }
export type DocumentAnswer = PdfAnswer | PageText
