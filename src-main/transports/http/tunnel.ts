import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely, type SecureContext } from 'node:tls'
import { nearnessOf } from '../../../src-shared/base/hosts.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { notOnInternet } from './network-errors.ts'

/** The end of a raw connection. `name` is as `URL.hostname` spells it. */
export interface TunnelTarget {
  readonly name: string
  readonly port: number
  /** Judges an address that the name has, or the name itself where a proxy looks it up. */
  readonly permits: (address: string) => boolean
}

export type Lookup = (name: string) => Promise<readonly string[]>

interface Way {
  readonly lookup: Lookup
  readonly proxy?: { readonly url: URL; readonly secureContext?: SecureContext }
}

const CONNECT_MS = 10_000
/** Addresses of a name that are tried. */
const ADDRESSES = 4

export const systemLookup: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** A socket's lookup that gives only addresses on the internet, so that no name leads a connection anywhere nearer. */
export function internetLookup(lookup: Lookup): LookupFunction {
  return (name, { all }, done) => {
    lookup(name).then(
      (found) => {
        const far = found.filter((address) => nearnessOf(address) === 'internet')
        const [first] = far
        if (first === undefined) done(found.length > 0 ? notOnInternet(name) : unreachable(name, undefined), '')
        else if (all)
          done(
            null,
            far.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      },
      (error: Error) => done(error, ''),
    )
  }
}

/**
 * Connects to an address that was permitted, so that a name which later leads elsewhere makes no difference. Rejects with TransportError:
 * `refused` when no address is permitted, else `unreachable`.
 */
export async function openTunnel(target: TunnelTarget, { lookup, proxy }: Way): Promise<Socket> {
  const { name, port, permits } = target
  if (proxy) {
    if (!permits(name)) throw notPermitted(name)
    return throughProxy(`${name}:${port}`, proxy)
  }
  const bare = name.replace(/^\[|\]$/g, '')
  const found = isIP(bare) ? [bare] : await lookup(name).catch((cause: unknown) => Promise.reject(unreachable(name, cause)))
  const permitted = found.filter(permits)
  if (permitted.length === 0) throw found.length > 0 ? notPermitted(name) : unreachable(name, undefined)
  let failure: unknown
  for (const host of permitted.slice(0, ADDRESSES)) {
    try {
      return await connected(connect({ host, port, noDelay: true }), 'connect')
    } catch (error) {
      failure = error
    }
  }
  throw unreachable(name, failure)
}

async function connected<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')))
  await once(socket, event)
  return socket
}

async function throughProxy(authority: string, { url, secureContext }: NonNullable<Way['proxy']>): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port) || (isSecure ? 443 : 80)
  try {
    const socket = isSecure
      ? await connected(connectSecurely({ host, port, secureContext, ...(!isIP(host) && { servername: host }) }), 'secureConnect')
      : await connected(connect({ host, port }), 'connect')
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    const asked = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(user !== ':' && { 'proxy-authorization': `Basic ${btoa(user)}` }) },
    })
    asked.end()
    const [{ statusCode }, , first] = await once(asked, 'connect')
    if (statusCode !== 200) throw new Error(`the proxy answered ${statusCode}`)
    if (first.length > 0) socket.unshift(first)
    return socket
  } catch (error) {
    throw unreachable(authority, error)
  }
}

const notPermitted = (name: string) =>
  new TransportError('refused', `${name} leads to this computer or its network, which its fence does not name.`)

const unreachable = (name: string, cause: unknown) =>
  new TransportError('unreachable', `${name} cannot be reached.`, {}, { cause })
