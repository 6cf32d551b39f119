import { createHash } from 'node:crypto'
import { type Clock, timeLimit } from '../../../src-shared/base/clock.ts'
import { isNearer } from '../../../src-shared/base/hosts.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { RegistrySearch } from '../../../src-shared/contract/registries.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { Connector } from '../../transports/http/connector.ts'
import { discard, type HttpResponse, readReply, succeeded } from '../../transports/http/http-fetch.ts'
import { type ListedServer, type RegistryListing, readListed, readListing } from './registry-answers.ts'
import type { StagedEntry } from './review-servers.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** Milliseconds for one answer. */
const ANSWER_TIME = 20_000
/** Milliseconds for the file of a bundle. */
const DOWNLOAD_TIME = 15 * 60_000
/** Milliseconds for which an answer counts as fresh. */
const FRESH = 60 * 60_000
const MAX_CACHED = 100
const PER_PAGE = 30
const VERSIONS = ['v0.1', 'v0'] as const

interface RegistriesParts {
  readonly connector: Connector
  readonly clock: Clock
}

interface Kept {
  readonly at: number
  readonly listing: RegistryListing
}

/** Registries of servers, which are asked for what a person searches and opens, and for nothing else (REG-4). */
export class Registries {
  readonly #parts: RegistriesParts
  /** By address; the oldest first. */
  readonly #kept = new Map<string, Kept>()
  /** The API version of each registry that answered. */
  readonly #versions = new Map<string, (typeof VERSIONS)[number]>()

  constructor(parts: RegistriesParts) {
    this.#parts = parts
  }

  /** One page. Throws HostError `unavailable` with what to do. `staleSince` is set when the registry is down and an older answer is here. */
  async search(
    { registry, words, cursor }: RegistrySearch,
    signal: AbortSignal,
  ): Promise<RegistryListing & { staleSince?: number }> {
    const asked = new URLSearchParams({ version: 'latest', limit: String(PER_PAGE) })
    if (words !== '') asked.set('search', words)
    if (cursor !== undefined) asked.set('cursor', cursor)
    const key = `${baseOf(registry).base} ${asked}`
    const kept = this.#kept.get(key)
    const now = this.#parts.clock.now()
    if (kept && now - kept.at < FRESH) return kept.listing
    try {
      const listing = readListing(await this.#ask(registry, `servers?${asked}`, signal))
      if (!listing) throw new HostError('unavailable', NO_REGISTRY)
      // A cursor that leads to itself would never end.
      const { next, ...rest } = listing
      const page = next === undefined || next === cursor ? rest : listing
      this.#keep(key, { at: now, listing: page })
      return page
    } catch (error) {
      signal.throwIfAborted()
      if (kept) return { ...kept.listing, staleSince: kept.at }
      throw error
    }
  }

  /** One version of a server as it is now, never from memory. `version` may be “latest”. Throws HostError. */
  async entry(registry: string, name: string, version: string, signal: AbortSignal): Promise<ListedServer> {
    const path = `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
    const listed = readListed(await this.#ask(registry, path, signal))
    if (!listed) throw new HostError('unavailable', NO_REGISTRY)
    const { published } = listed
    if (published.name !== name || (version !== 'latest' && published.version !== version))
      throw new HostError('refused', 'The registry answered with a different server or version.')
    return listed
  }

  /** The name that a package of npm says it has in registries (REG-13); undefined where it says none. Throws HostError. */
  async nameInPackage(npm: NonNullable<StagedEntry['npm']>, registry: string, signal: AbortSignal): Promise<string | undefined> {
    const path = [npm.name, npm.version].map(encodeURIComponent).join('/')
    const url = URL.parse(`${npm.at.replace(/\/+$/, '')}/${path}`)
    if (!url || isNearer(url.hostname, baseOf(registry).url.hostname)) throw new HostError('refused', TOO_NEAR)
    const about = await this.#json(url.href, signal)
    return isObject(about) && typeof about.mcpName === 'string' ? about.mcpName.slice(0, 500) : undefined
  }

  /**
   * Gives the file of a bundle to `take`, piece by piece. Throws HostError `refused` where it differs from its SHA-256; nothing of it may
   * have been opened by then (REG-9).
   */
  async download(
    { url, sha256, registry }: { readonly url: string; readonly sha256: string; readonly registry: string },
    take: (piece: Buffer) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const host = URL.parse(url)?.hostname
    if (host === undefined || isNearer(host, baseOf(registry).url.hostname)) throw new HostError('refused', TOO_NEAR)
    const { clock, connector } = this.#parts
    const tooSlow = () => new HostError('unavailable', 'Its download takes too long. Try again later.')
    using limit = timeLimit(clock, DOWNLOAD_TIME, tooSlow, signal)
    const hash = createHash('sha256')
    const request = { method: 'GET', url, headers: {}, roams: true, signal: limit.signal } as const
    const response = await unavailable(connector.request(request))
    if (!succeeded(response)) {
      discard(response, clock)
      throw new HostError('unavailable', `Its file cannot be downloaded: HTTP ${response.status}.`)
    }
    await eachPiece(response, async (piece) => {
      hash.update(piece)
      await take(piece)
    })
    if (hash.digest('hex') !== sha256.toLowerCase())
      throw new HostError('refused', 'Its file is not the one that the registry lists: the SHA-256 differs. Nothing was opened.')
  }

  /** Asks v0.1, and v0 where there is no v0.1. */
  async #ask(registry: string, path: string, signal: AbortSignal): Promise<unknown> {
    const { base, version } = baseOf(registry)
    const known = version ?? this.#versions.get(base)
    const tried = known === undefined ? VERSIONS : [known]
    for (const one of tried) {
      const answer = await this.#json(`${base}/${one}/${path}`, signal)
      if (answer === undefined) continue
      this.#versions.set(base, one)
      return answer
    }
    throw new HostError('not-found', known === undefined ? NO_REGISTRY : 'The registry no longer has it.')
  }

  /** Undefined for 404. */
  async #json(url: string, signal: AbortSignal): Promise<unknown> {
    const { clock, connector } = this.#parts
    const tooSlow = () => new HostError('unavailable', 'It takes too long to answer. Try again later.')
    using limit = timeLimit(clock, ANSWER_TIME, tooSlow, signal)
    const headers = { accept: 'application/json' }
    const response = await unavailable(connector.request({ method: 'GET', url, headers, signal: limit.signal }))
    if (!succeeded(response)) {
      discard(response, clock)
      if (response.status === 404) return undefined
      throw new HostError('unavailable', `It answers with HTTP ${response.status}. Try again later.`)
    }
    const chunks = await unavailable(readReply(response, MAX_BYTES))
    if (!chunks) throw new HostError('unavailable', 'Its answer is larger than 4 MiB.')
    try {
      return parseJson(Buffer.concat(chunks).toString('utf8'))
    } catch {
      throw new HostError('unavailable', NO_REGISTRY)
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_CACHED && oldest !== undefined) this.#kept.delete(oldest)
  }
}

const TOO_NEAR = 'Its address is on this computer or your network, where this registry may not send Parley.'
const NO_REGISTRY = 'There is no registry of MCP servers at this address. Check the address.'

/** An address may end in the API's version. Throws HostError. */
function baseOf(registry: string) {
  const url = URL.parse(registry)
  if (!url || url.username || url.password || url.search || url.hash)
    throw new HostError('invalid-params', 'This is not the address of a registry. It begins with https:// and has no “?”.')
  const [, base = '', version] = /^(.*?)\/*(?:\/(v0\.1|v0)\/*)?$/.exec(url.href) ?? []
  return { url, base, version: VERSIONS.find((one) => one === version) }
}

/** Says in words for a person why it cannot be reached. */
async function unavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TransportError) throw new HostError('unavailable', error.message)
    throw error
  }
}

/** Hands on a body in order, each piece once the one before is done with. */
function eachPiece({ body }: HttpResponse, take: (piece: Buffer) => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let last = Promise.resolve()
  const fail = (error: unknown) => {
    reject(error)
    body.destroy()
  }
  body
    .on('data', (piece) => {
      body.pause()
      last = take(piece).then(() => void body.resume())
      last.catch(fail)
    })
    .on('error', fail)
    .on('end', () => void last.then(resolve, reject))
    .on(
      'close',
      () => void last.then(() => reject(new HostError('unavailable', 'The download was interrupted. Try again.')), reject),
    )
    .resume()
  return promise
}
