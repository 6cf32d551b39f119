import { lookup } from 'node:dns/promises'
import type { PeerCertificate, TLSSocket } from 'node:tls'

type Undici = typeof import('undici')

/** The path to an address, and its end. Nothing of the person's is sent, and nothing that comes is trusted. */
export interface AddressLook {
  /** The proxy, as host and port; the name is its to look up then. */
  readonly proxy?: string
  /** The addresses of the name; empty when it has none, missing when it could not be looked up. */
  readonly addresses?: readonly string[]
  /** The other side's clock, milliseconds since the epoch, as far as it says. */
  readonly date?: number
  readonly certificate?: CertificateLook
}

export interface CertificateLook {
  /** The names that it is for. */
  readonly names: readonly string[]
  readonly issuer: string
  readonly from: string
  readonly to: string
}

const MAX_NAMES = 10
const MAX_NAME_LENGTH = 200

/** Looks up the name, and asks `HEAD /` without believing the certificate: only for what is told of it. */
export async function lookAtAddress(
  url: URL,
  proxy: string | undefined,
  undici: Undici,
  signal: AbortSignal,
): Promise<AddressLook> {
  const addresses = proxy === undefined ? await addressesOf(url.hostname) : undefined
  const named = proxy === undefined ? { ...(addresses && { addresses }) } : { proxy: new URL(proxy).host }
  if (url.protocol !== 'https:' || addresses?.length === 0) return named
  return { ...named, ...(await askWithoutTrust(url, proxy, undici, signal)) }
}

async function addressesOf(hostname: string): Promise<readonly string[] | undefined> {
  try {
    const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
    return found.map(({ address }) => address)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTFOUND' ? [] : undefined
  }
}

async function askWithoutTrust(url: URL, proxy: string | undefined, undici: Undici, signal: AbortSignal): Promise<AddressLook> {
  let certificate: CertificateLook | undefined
  const connect = undici.buildConnector({ rejectUnauthorized: false })
  const direct: typeof connect = (options, told) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome
      if (socket && 'getPeerCertificate' in socket) certificate = certificateIn(socket as TLSSocket)
      told(...outcome)
    })
  const dispatcher = proxy
    ? new undici.ProxyAgent({ uri: proxy, requestTls: { rejectUnauthorized: false }, proxyTunnel: true })
    : new undici.Agent({ connect: direct })
  try {
    const { headers, body } = await dispatcher.request({ origin: url.origin, path: '/', method: 'HEAD', signal })
    body.on('error', () => {}).destroy()
    const date = Date.parse(String(headers.date ?? ''))
    return { ...(Number.isFinite(date) && { date }), ...(certificate && { certificate }) }
  } catch {
    return certificate ? { certificate } : {}
  } finally {
    await dispatcher.destroy()
  }
}

function certificateIn(socket: TLSSocket): CertificateLook | undefined {
  const found: Partial<PeerCertificate> = socket.getPeerCertificate()
  if (found.valid_from === undefined || found.valid_to === undefined) return undefined
  const names = (found.subjectaltname ?? '').split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
  const own = [found.subject?.CN ?? [], names].flat().filter((name) => name !== '')
  const issuer = [found.issuer?.O ?? found.issuer?.CN ?? 'nobody named'].flat()[0] ?? ''
  return {
    names: [...new Set(own)].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH)),
    issuer: issuer.slice(0, MAX_NAME_LENGTH),
    from: found.valid_from,
    to: found.valid_to,
  }
}
