import { type FrameMessage, type FrameSign, frameSign, messageOf } from '../frames/messages.ts'

export type PdfFailure = 'broken' | 'locked' | 'slow'

/** Messages of the PDF frame to the page. Strangers write the file, so every message is checked. */
export type FromPdfFrame =
  | FrameSign
  | { readonly is: 'opened'; readonly pages: number }
  | { readonly is: 'failed'; readonly why: PdfFailure }
  /** The person clicked a link of the file. */
  | { readonly is: 'link'; readonly url: string }

const MAX_PAGES = 10_000_000
const MAX_ADDRESS_LENGTH = 2048

/** A message of this frame; undefined for another sender, one with an origin, or another shape. */
export function fromPdfFrame(heard: FrameMessage, frame: unknown): FromPdfFrame | undefined {
  const data = messageOf(frame, heard)
  if (!data) return undefined
  switch (data.is) {
    case 'opened':
      return 'pages' in data && isCount(data.pages) ? { is: 'opened', pages: data.pages } : undefined
    case 'failed':
      return 'why' in data && isFailure(data.why) ? { is: 'failed', why: data.why } : undefined
    case 'link':
      return 'url' in data && isWebAddress(data.url) ? { is: 'link', url: data.url } : undefined
    default:
      return frameSign(data)
  }
}

/** True if the person may be asked to open a link of a file. */
export function isWebAddress(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > MAX_ADDRESS_LENGTH) return false
  const protocol = URL.parse(url)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_PAGES
}

function isFailure(value: unknown): value is PdfFailure {
  return value === 'broken' || value === 'locked' || value === 'slow'
}
