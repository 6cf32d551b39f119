import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopbackHost, type Nearness, nearnessOf } from '../../src-shared/base/hosts.ts'
import { AuthorizationError } from './authorization-error.ts'

/** The addresses of a host name; may reject. */
export type LookUp = (host: string) => Promise<readonly string[]>

const NEARNESS: readonly Nearness[] = ['internet', 'network', 'computer']

/**
 * Decides which addresses discovery may contact. They come from a server, which must not reach places through us that only we can
 * reach: https only, and nothing nearer to us than the server itself. A private network is allowed only to a server in one, this
 * computer only to a server on it (AUTH-13, AUTH-28).
 */
export class Reachable {
  readonly #server: URL
  readonly #lookUp: LookUp
  #serverNearness: Promise<number> | undefined

  constructor(serverUrl: string, lookUp: LookUp = systemLookUp) {
    this.#server = new URL(serverUrl)
    this.#lookUp = lookUp
  }

  /** The address, if it may be contacted. Throws AuthorizationError `discovery`. */
  async check(text: string, what: string): Promise<URL> {
    const url = URL.parse(text) ?? undefined
    if (url === undefined || url.username !== '' || url.password !== '')
      throw refused(what, `“${text.slice(0, 200)}” is not a usable address`)
    const loopback = isLoopbackHost(url.hostname) && isLoopbackHost(this.#server.hostname)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
      throw refused(what, `${url.protocol}//${url.host} is not encrypted`)
    }
    if (url.origin === this.#server.origin || loopback) return url
    // Any address of a name may be contacted, so the nearest counts; of the server's own the farthest, so that it cannot add a near one.
    const near = Math.max(...(await this.#nearnesses(url)))
    this.#serverNearness ??= this.#nearnesses(this.#server).then((all) => Math.min(...all))
    if (near > (await this.#serverNearness)) {
      const where = NEARNESS[near] === 'computer' ? 'on this computer' : 'in a private network'
      throw refused(what, `${url.host} is ${where}, and a remote server may not send you there`)
    }
    return url
  }

  async #nearnesses({ hostname }: URL): Promise<readonly number[]> {
    const near = nearnessOf(hostname)
    const isName = near === 'internet' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
    // Behind a proxy names may not resolve here; then the proxy decides.
    const addresses = isName ? await this.#lookUp(hostname).catch(() => []) : []
    return (addresses.length > 0 ? addresses.map(nearnessOf) : [near]).map((one) => NEARNESS.indexOf(one))
  }
}

function refused(what: string, why: string): AuthorizationError {
  return new AuthorizationError('discovery', `Sign-in did not start: ${what} was not used because ${why}.`)
}

async function systemLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
