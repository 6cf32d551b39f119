import { createHash } from 'node:crypto'
import { timeLimit } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Icon } from '../../../src-shared/mcp/content.ts'
import { imageHeader } from '../../images/image-header.ts'
import type { ImageLimits } from '../../images/image-limits.ts'
import { discard, readBody, succeeded } from '../../transports/http/http-fetch.ts'
import type { HostCore } from '../core/host-core.ts'
import { shownIcons } from '../core/icons.ts'

/** Addresses that are requested for one connection. */
const MAX_COUNT = 64
const AT_ONCE = 4
const MAX_BYTES = 64 * 1024
/** Few bytes can hold many pixels, and decoding them delays the images for models. */
const MAX_PIXELS = 1024 * 1024
/** Milliseconds for one icon, including its last byte. */
const FETCH_TIMEOUT = 5_000
const MAX_ADDRESS_LENGTH = 2048
/** The size of an icon in a list at two pixels per point, without animation; at most about 6 KiB as a data address. */
const DRAWN: ImageLimits = { edge: 32, bytes: 4 * 1024, types: ['image/png', 'image/jpeg'] }

interface ServerIconsParts extends Pick<HostCore, 'connector' | 'images' | 'clock' | 'lifetime'> {
  /** Runs when icons arrived after lists were shown. */
  readonly onChange: () => void
}

interface Connection {
  readonly origin: string
  readonly lifetime: Lifetime
  /** Data addresses by address; undefined while an icon is requested, or if it cannot be shown. */
  readonly known: Map<string, string | undefined>
  readonly waiting: string[]
  running: number
  came: boolean
}

/**
 * The icons of one server. Data addresses are shown as they are. An icon at the origin of a remote server is requested when it is to be
 * shown, without cookies, tokens or configured headers: that server knows us already. Any other address is left out, because a request
 * would tell a stranger who reads here.
 */
export class ServerIcons {
  readonly #parts: ServerIconsParts
  #connection: Connection | undefined

  constructor(parts: ServerIconsParts) {
    this.#parts = parts
  }

  /** Forgets all icons; `url` is the address of the remote server that is connected now. */
  begin(url: string | undefined): void {
    void this.#connection?.lifetime.end()
    this.#connection = undefined
    const origin = url === undefined ? undefined : URL.parse(url)?.origin
    if (origin === undefined || origin === 'null') return
    const lifetime = new Lifetime('icons', this.#parts.lifetime)
    this.#connection = { origin, lifetime, known: new Map(), waiting: [], running: 0, came: false }
  }

  /** The icons that are here now. Others are requested, and announced by `onChange`. */
  shown(icons: readonly Icon[] | undefined): { icons?: readonly Icon[] } {
    const here = shownIcons(icons)
    const connection = this.#connection
    if (here.icons || !connection) return here
    const src = icons?.find((icon) => isOwn(icon, connection.origin))?.src
    if (src === undefined) return {}
    const data = connection.known.get(src)
    if (data !== undefined) return { icons: [{ src: data }] }
    if (!connection.known.has(src) && connection.known.size < MAX_COUNT) {
      connection.known.set(src, undefined)
      connection.waiting.push(src)
      this.#next(connection)
    }
    return {}
  }

  #next(connection: Connection): void {
    while (connection.running < AT_ONCE && !connection.lifetime.ended) {
      const src = connection.waiting.shift()
      if (src === undefined) break
      connection.running++
      void this.#fetch(connection, src).finally(() => {
        connection.running--
        this.#next(connection)
      })
    }
    // Announced once for all, because windows then read every list again.
    if (connection.running > 0 || !connection.came || connection !== this.#connection) return
    connection.came = false
    this.#parts.onChange()
  }

  /** Never rejects: an icon that cannot be loaded is not shown. */
  async #fetch(connection: Connection, src: string): Promise<void> {
    const { clock, connector, images } = this.#parts
    using limit = timeLimit(clock, FETCH_TIMEOUT, undefined, connection.lifetime.signal)
    const { signal } = limit
    try {
      // The connector follows redirects within the origin only.
      const response = await connector.request({ method: 'GET', url: src, headers: { accept: 'image/*' }, aside: true, signal })
      if (!succeeded(response)) return discard(response, clock)
      const bytes = await readBody(response, MAX_BYTES)
      if (!bytes || (imageHeader(bytes)?.load ?? Number.POSITIVE_INFINITY) > MAX_PIXELS) return
      const hash = createHash('sha256').update(bytes).digest('hex')
      const fitted = await images.fit({ hash, read: async () => bytes }, DRAWN)
      if (fitted.is !== 'image') return
      connection.known.set(src, `data:${fitted.mimeType};base64,${Buffer.from(fitted.bytes).toString('base64')}`)
      connection.came = true
    } catch {
      // Refused, interrupted, too slow, or the server disconnected.
    }
  }
}

/** False for an SVG, which is not drawn, so that the next icon is tried. */
function isOwn({ src, mimeType = '' }: Icon, origin: string): boolean {
  return src.length <= MAX_ADDRESS_LENGTH && !/^image\/svg/i.test(mimeType) && URL.parse(src)?.origin === origin
}
