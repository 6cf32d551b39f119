import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const NAME = /^[0-9a-f]{64}$/
const TYPE = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,127}$/
/** Types that are shown; everything else is a download, SVG included, since it can hold script. */
const INLINE = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[a-z0-9.+-]+)$/

export interface LinkedBlob {
  readonly blob: string
  readonly mimeType: string
  /** Set for a download. */
  readonly name?: string
}

/** Makes and checks links to blobs. An `<img>` sends no header, so each link is signed, with a key of this run. */
export class BlobLinks {
  readonly #key = randomBytes(32)

  /** Path and query, relative to the page's origin. */
  path(blob: string, mimeType: string, name = ''): string {
    const type = TYPE.test(mimeType.toLowerCase()) ? mimeType.toLowerCase() : 'application/octet-stream'
    return `/blob/${blob}?${new URLSearchParams({ k: this.#sign(blob, type, name), type, ...(name && { name }) })}`
  }

  /** Undefined for a link that is not ours. */
  check(url: URL): LinkedBlob | undefined {
    const blob = url.pathname.slice('/blob/'.length)
    const mimeType = url.searchParams.get('type') ?? ''
    const name = url.searchParams.get('name') ?? ''
    if (!url.pathname.startsWith('/blob/') || !NAME.test(blob) || !TYPE.test(mimeType)) return undefined
    const given = Buffer.from(url.searchParams.get('k') ?? '', 'base64url')
    const expected = Buffer.from(this.#sign(blob, mimeType, name), 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return { blob, mimeType, ...(name && { name }) }
  }

  #sign(blob: string, type: string, name: string): string {
    return createHmac('sha256', this.#key).update(`${blob}\n${type}\n${name}`).digest('base64url')
  }
}

/** Headers that make a blob harmless even when it is opened as a page. */
export function blobHeaders({ blob, mimeType, name }: LinkedBlob): Record<string, string> {
  const inline = !name && INLINE.test(mimeType)
  return {
    'content-type': inline ? mimeType : 'application/octet-stream',
    'content-disposition': inline ? 'inline' : `attachment; filename*=UTF-8''${encodeURIComponent(name ?? blob.slice(0, 12))}`,
    'content-security-policy': 'sandbox',
    'cache-control': 'private, max-age=3600, immutable',
  }
}
