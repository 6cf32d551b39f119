import { lookup } from 'node:dns/promises'
import type { PeerCertificate, TLSSocket } from 'node:tls'

type Undici = typeof import('undici')

/** Facts about an address for diagnosis. No secret is sent, and no answer is trusted. */
export interface AddressLook {
  /** Host and port of the proxy, which then looks up the name. */
  readonly proxy?: string
  /** The addresses of the name; empty when it does not resolve, absent when the lookup failed. */
  readonly addresses?: readonly string[]
  /** The server's clock in milliseconds since the epoch. */
  readonly date?: number
  readonly certificate?: CertificateLook
}

export interface CertificateLook {
  readonly names: readonly string[]
  readonly issuer: string
  readonly from: string
  readonly to: string
}

const MAX_NAMES = 10
const MAX_NAME_LENGTH = 200

/** Looks up the name and requests `HEAD /` without verifying the certificate, only to describe it. */
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
  const direct: typeof connect = (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome
      if (socket && 'getPeerCertificate' in socket) certificate = certificateIn(socket as TLSSocket)
      callback(...outcome)
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
  const issuer = [found.issuer?.O ?? found.issuer?.CN ?? 'unknown'].flat()[0] ?? ''
  return {
    names: [...new Set(own)].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH)),
    issuer: issuer.slice(0, MAX_NAME_LENGTH),
    from: found.valid_from,
    to: found.valid_to,
  }
}
