/** Requests to the thread. */
export interface PdfJob {
  readonly bytes: Uint8Array
  /** Characters of text after which it stops. */
  readonly most: number
  /** Milliseconds of reading after which it stops with what it has. */
  readonly time: number
}

/** The text of a PDF file, page by page. */
export interface PdfText {
  readonly is: 'text'
  readonly text: string
  readonly pages: number
  /** The last page whose text is in `text`. */
  readonly read: number
  /** There is more that was not read. */
  readonly cut: boolean
  /** It opens without a password and is encrypted all the same: no provider takes it. */
  readonly encrypted: boolean
}

export type PdfAnswer = PdfText | { readonly is: 'unread'; readonly why: 'locked' | 'broken' }
