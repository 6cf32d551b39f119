import { X509Certificate } from 'node:crypto'
import { exceptionsProblem, proxyAddress, proxyProblem } from '../../../src-shared/base/proxy-address.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { CertificateView, KeyState, ProxyChoice, Settings } from '../../../src-shared/contract/settings.ts'
import { proxyAt } from '../../transports/http/proxies.ts'
import type { HostCore } from './host-core.ts'

type Parts = Pick<HostCore, 'settings' | 'state' | 'storage' | 'connector' | 'clock' | 'lifetime' | 'platform'>

/** Name of a secret that holds the proxy's address, a line break, and the password. */
const SECRET = 'proxy'

/** Routes the connector's requests by the network settings, now and after every change. */
export class HostNetwork {
  readonly #parts: Parts
  /** Allows one box at a time: a page that was taken over could fill the screen with them. */
  #asking = false
  #applied: Pick<Settings, 'proxy' | 'authorities'> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#apply()
    parts.lifetime.onEnd(parts.state.onEvent((_seq, event) => event.type === 'settings.changed' && this.#apply()))
  }

  /**
   * Changes settings. Those of the network must be usable, and confirmed by the person where the shell asks. Throws HostError
   * `invalid-params` or `refused`.
   */
  async change(change: Partial<Settings>): Promise<void> {
    const proxy = change.proxy && usable(change.proxy)
    const authorities = change.authorities && readAuthorities(change.authorities, this.#parts.clock.now())
    await this.#confirm(proxy, authorities || [])
    await this.#parts.settings.change({
      ...change,
      ...(proxy && { proxy }),
      ...(authorities && { authorities: authorities.map(({ pem }) => pem).join('\n') }),
    })
  }

  /** Stops a page that was taken over from rerouting Parley's traffic (decision 0012). */
  async #confirm(proxy: ProxyChoice | undefined, authorities: readonly Authority[]): Promise<void> {
    const { platform, settings, lifetime } = this.#parts
    const { proxy: before, authorities: kept } = settings.current
    const added = authorities.filter(({ pem }) => !kept.includes(pem)).map(({ view }) => view)
    const other = proxy?.use === 'address' && !(before.use === 'address' && before.address === proxy.address)
    if (!platform.confirmNetwork || (added.length === 0 && !other)) return
    if (this.#asking) throw new HostError('conflict', 'Another network change is waiting for your answer.')
    this.#asking = true
    try {
      const change = { authorities: added, ...(other && { proxy: proxy.address }) }
      if (await platform.confirmNetwork(change, lifetime.signal)) return
    } finally {
      this.#asking = false
    }
    throw new HostError('refused', 'Denied. Nothing was changed.')
  }

  async read(): Promise<{ certificates: readonly CertificateView[]; password: KeyState }> {
    const { proxy, authorities } = this.#parts.settings.current
    const kept = proxy.use === 'address' && (await this.#password(proxy.address)) !== undefined
    const password = kept ? await this.#parts.storage.secrets.state(SECRET) : 'missing'
    return { certificates: this.#kept(authorities).map(({ view }) => view), password }
  }

  /** Binds the password to the proxy's present address; it is never sent to another one. */
  async setPassword(password: string | null): Promise<void> {
    const { settings, storage } = this.#parts
    const { proxy } = settings.current
    if (password === null) await storage.secrets.remove(SECRET)
    else {
      if (proxy.use !== 'address') throw new HostError('refused', 'Set a proxy before its password.')
      await storage.secrets.set(SECRET, `${proxy.address}\n${password}`)
    }
    this.#applied = undefined
    this.#apply()
  }

  #apply(): void {
    const { settings, connector } = this.#parts
    const { proxy, authorities } = settings.current
    if (this.#applied?.proxy === proxy && this.#applied.authorities === authorities) return
    this.#applied = { proxy, authorities }
    const added = this.#kept(authorities).map(({ pem }) => pem)
    connector.reroute({
      ...(added.length > 0 && { authorities: added }),
      ...(proxy.use === 'none' && { proxyFor: async () => 'DIRECT' }),
      ...(proxy.use === 'address' && {
        proxyFor: async (url: string) => proxyAt(proxy.address, proxy.except, await this.#password(proxy.address))(url),
      }),
    })
  }

  /** Reads without checking dates, so that an expired certificate is still shown. */
  #kept(authorities: string): readonly Authority[] {
    if (authorities === '') return []
    try {
      return readAuthorities(authorities, 0)
    } catch {
      return []
    }
  }

  async #password(address: string): Promise<string | undefined> {
    // Another shell may have encrypted it so that this one cannot read it. The proxy then asks for one.
    const kept = await this.#parts.storage.secrets.get(SECRET).catch(() => undefined)
    return kept?.startsWith(`${address}\n`) ? kept.slice(address.length + 1) : undefined
  }
}

function usable(proxy: ProxyChoice): ProxyChoice {
  if (proxy.use !== 'address') return proxy
  const problem = proxyProblem(proxy.address) ?? exceptionsProblem(proxy.except)
  if (problem !== undefined) throw new HostError('invalid-params', problem)
  return { ...proxy, address: proxyAddress(proxy.address), except: proxy.except.trim() }
}

/** A certificate authority that a person added. */
interface Authority {
  readonly pem: string
  readonly view: CertificateView
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/**
 * The certificate authorities of a PEM file, without anything else in it, such as a private key. Throws HostError `invalid-params` when
 * there is none, and for one that cannot be used at `now`.
 */
function readAuthorities(text: string, now: number): readonly Authority[] {
  const found = text.match(CERTIFICATE) ?? []
  if (found.length === 0) throw refused(withoutCertificates(text))
  return [...new Set(found.map((pem) => pem.trim()))].map((pem) => readAuthority(pem, now))
}

function readAuthority(pem: string, now: number): Authority {
  const read = parsed(pem)
  const subject = commonName(read.subject)
  const expiresAt = Date.parse(read.validTo)
  const own = read.issuer === read.subject
  if (expiresAt < now) {
    throw refused(`The certificate of “${subject}” expired on ${read.validTo}. Ask your administrator for a newer one.`)
  }
  if (!read.ca && !own) {
    throw refused(
      `“${subject}” is the certificate of a server, not of an authority. Choose that of “${commonName(read.issuer)}”.`,
    )
  }
  return { pem, view: { subject, ...(!own && { issuer: commonName(read.issuer) }), expiresAt, fingerprint: read.fingerprint256 } }
}

function parsed(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw refused('A certificate in this file is damaged. Get the file again.')
  }
}

/** The common name, else the whole distinguished name. */
function commonName(distinguishedName: string | undefined): string {
  const lines = (distinguishedName ?? '').split('\n')
  const common = lines.find((line) => line.startsWith('CN='))
  return (common?.slice(3) ?? lines.join(', ')).slice(0, 200) || 'no name'
}

function withoutCertificates(text: string): string {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'This file holds a private key and no certificate. Do not share it.'
  return 'This file holds no certificate. A PEM file has lines such as -----BEGIN CERTIFICATE-----.'
}

const refused = (sentence: string) => new HostError('invalid-params', sentence)
