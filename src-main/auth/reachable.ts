import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../../src-shared/base/loopback.ts'
import { AuthorizationError } from './authorization-error.ts'

/** The addresses of a name; may reject. */
export type LookUp = (host: string) => Promise<readonly string[]>

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return PRIVATE.check(mapped, 'ipv4')
  const kind = isIP(address)
  return kind !== 0 && PRIVATE.check(address, kind === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Where discovery may lead. Its addresses come from a server, which must not make us knock at doors that only we can reach: https
 * only, and no private network unless the server itself lives in one (AUTH-13, AUTH-28).
 */
export class Reachable {
  readonly #server: URL
  readonly #lookUp: LookUp
  #serverIsPrivate: Promise<boolean> | undefined

  constructor(serverUrl: string, lookUp: LookUp = systemLookUp) {
    this.#server = new URL(serverUrl)
    this.#lookUp = lookUp
  }

  /** The address, if it may be contacted. Throws AuthorizationError `discovery`. */
  async check(text: string, what: string): Promise<URL> {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || url.username !== '' || url.password !== '')
      throw refused(what, `“${text.slice(0, 200)}” is no usable address`)
    const loopback = isLoopback(url.hostname)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
      throw refused(what, `${url.protocol}//${url.host} is not encrypted`)
    }
    if (url.origin === this.#server.origin) return url
    if ((await this.#isPrivate(url)) && !(await this.#serverPrivate())) {
      throw refused(what, `${url.host} lies in a private network, which a server on the internet has no business to point to`)
    }
    return url
  }

  #serverPrivate(): Promise<boolean> {
    this.#serverIsPrivate ??= this.#isPrivate(this.#server)
    return this.#serverIsPrivate
  }

  async #isPrivate(url: URL): Promise<boolean> {
    const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
    if (isIP(host) !== 0) return isPrivateAddress(host)
    if (PRIVATE_NAME.test(host) || !host.includes('.')) return true
    try {
      return (await this.#lookUp(host)).some(isPrivateAddress)
    } catch {
      // Behind a proxy names may be unknown here; the proxy decides then what it reaches.
      return false
    }
  }
}

function refused(what: string, why: string): AuthorizationError {
  return new AuthorizationError('discovery', `The sign-in was not begun: ${what} is not used, for ${why}.`)
}

async function systemLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
