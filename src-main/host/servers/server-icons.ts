import { createHash } from 'node:crypto'
import { timeLimit } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Icon } from '../../../src-shared/mcp/content.ts'
import { imageHeader } from '../../images/image-header.ts'
import type { ImageLimits } from '../../images/image-limits.ts'
import { discard, readBody, succeeded } from '../../transports/http/http-fetch.ts'
import type { HostCore } from '../core/host-core.ts'
import { shownIcons } from '../core/icons.ts'

/** Addresses of one connection that are ever asked for, good or bad. */
const MAX_COUNT = 64
const AT_ONCE = 4
const MAX_BYTES = 64 * 1024
/** Few bytes can hold many pixels; what a model is to see waits behind them. */
const MAX_PIXELS = 1024 * 1024
/** Milliseconds for one icon, its last byte included. */
const PATIENCE = 5_000
const MAX_ADDRESS_LENGTH = 2048
/** As a list draws it on a screen of twice the pixels, without movement; about 6 KiB as a data address at most. */
const DRAWN: ImageLimits = { edge: 32, bytes: 4 * 1024, types: ['image/png', 'image/jpeg'] }

interface ServerIconsParts extends Pick<HostCore, 'connector' | 'images' | 'clock' | 'lifetime'> {
  /** Icons came that were not there when lists were shown. */
  readonly onChange: () => void
}

interface Connection {
  readonly origin: string
  readonly lifetime: Lifetime
  /** By address: what is shown for it, or nothing yet, or nothing ever. */
  readonly known: Map<string, string | undefined>
  readonly waiting: string[]
  running: number
  came: boolean
}

/**
 * The icons of one server. Pictures that travel in their own address are shown as they are. One that lies at the very origin of a
 * remote server is fetched when it is to be shown, since that server knows us already: without a cookie, a token or a header of
 * its configuration, and as a picture only. Everything else would tell a stranger who reads here, and is left out.
 */
export class ServerIcons {
  readonly #parts: ServerIconsParts
  #connection: Connection | undefined

  constructor(parts: ServerIconsParts) {
    this.#parts = parts
  }

  /** Forgets what was fetched; `url` is the address of the remote server that is connected now, if it is one. */
  begin(url: string | undefined): void {
    void this.#connection?.lifetime.end()
    this.#connection = undefined
    const origin = url === undefined ? undefined : URL.parse(url)?.origin
    if (origin === undefined || origin === 'null') return
    const lifetime = new Lifetime('icons', this.#parts.lifetime)
    this.#connection = { origin, lifetime, known: new Map(), waiting: [], running: 0, came: false }
  }

  /** The icons that can be shown now. Those that have to be fetched come later, by `onChange`. */
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
    // Once for all of them: every list is read again.
    if (connection.running > 0 || !connection.came || connection !== this.#connection) return
    connection.came = false
    this.#parts.onChange()
  }

  /** Never rejects: an icon that cannot be had is not shown, and nobody is told. */
  async #fetch(connection: Connection, src: string): Promise<void> {
    const { clock, connector, images } = this.#parts
    using limit = timeLimit(clock, PATIENCE, undefined, connection.lifetime.signal)
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
      // Refused, broken off, too slow, or the server went away.
    }
  }
}

/** An SVG is not worth fetching: the next icon may be a picture. */
function isOwn({ src, mimeType = '' }: Icon, origin: string): boolean {
  return src.length <= MAX_ADDRESS_LENGTH && !/^image\/svg/i.test(mimeType) && URL.parse(src)?.origin === origin
}
