/** How the frame is drawn; `system` follows the system's own setting. */
export type PdfTheme = 'system' | 'light' | 'dark'

/** Why a PDF is not shown. */
export type PdfFailure = 'broken' | 'locked' | 'slow'

/** What the page tells the frame that shows a PDF. */
export type ToPdfFrame =
  | { readonly is: 'open'; readonly bytes: ArrayBuffer; readonly theme: PdfTheme }
  | { readonly is: 'theme'; readonly theme: PdfTheme }
  | { readonly is: 'ping' }

/** What the frame tells the page. It holds a stranger's file, so nothing in here is believed. */
export type FromPdfFrame =
  | { readonly is: 'ready' }
  | { readonly is: 'opened'; readonly pages: number }
  | { readonly is: 'failed'; readonly why: PdfFailure }
  /** The person clicked a link of the file. */
  | { readonly is: 'link'; readonly url: string }
  /** The person pressed Escape. */
  | { readonly is: 'leave' }
  | { readonly is: 'pong' }

const MOST_PAGES = 10_000_000
const LONGEST_ADDRESS = 2048

/** The parts of a MessageEvent that say who speaks. */
export interface Heard {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
}

/** A message of this very frame; undefined for another sender, one that has an origin, or anything of another shape. */
export function fromPdfFrame({ source, origin, data }: Heard, frame: unknown): FromPdfFrame | undefined {
  // An opaque origin is spelled "null". A frame that has one of ours would not be sandboxed.
  if (!frame || source !== frame || origin !== 'null') return undefined
  if (typeof data !== 'object' || data === null || !('is' in data)) return undefined
  switch (data.is) {
    case 'ready':
    case 'leave':
    case 'pong':
      return { is: data.is }
    case 'opened':
      return 'pages' in data && isCount(data.pages) ? { is: 'opened', pages: data.pages } : undefined
    case 'failed':
      return 'why' in data && isFailure(data.why) ? { is: 'failed', why: data.why } : undefined
    case 'link':
      return 'url' in data && isWebAddress(data.url) ? { is: 'link', url: data.url } : undefined
    default:
      return undefined
  }
}

/** Whether a link of a file may be asked about at all. */
export function isWebAddress(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > LONGEST_ADDRESS) return false
  const protocol = URL.parse(url)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_PAGES
}

function isFailure(value: unknown): value is PdfFailure {
  return value === 'broken' || value === 'locked' || value === 'slow'
}
