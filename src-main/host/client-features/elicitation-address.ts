import type { UrlWarning } from '../../../src-shared/contract/interactions.ts'

/** What a person should know of an address before opening it; nothing is fetched to find out. */
export interface Address {
  /** As a browser reads it, with the port. */
  readonly host: string
  readonly warnings: readonly UrlWarning[]
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const LOCAL =
  /^(localhost|.*\.localhost|.*\.local|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|0\.0\.0\.0|\[::1?\]|\[f[cde].*\])$/

/** Undefined when it is no http or https address. */
export function addressOf(url: string): Address | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, host, port, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const warnings: UrlWarning[] = []
  if (protocol === 'http:') warnings.push('http')
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) warnings.push('punycode')
  if (username !== '' || password !== '') warnings.push('user')
  if (port !== '') warnings.push('port')
  if (IPV4.test(hostname) || hostname.startsWith('[')) warnings.push('ip')
  if (LOCAL.test(hostname)) warnings.push('local')
  return { host, warnings }
}
