/** The reach of a host as its name or address shows it: this computer, a private network, or public. */
export type Nearness = 'computer' | 'network' | 'internet'

type Ipv4 = readonly [number, number, number, number]

const LOCAL_NAME = /(?:^|\.)(?:local|internal|intranet|lan|home|corp|home\.arpa)$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** True for this computer, as `URL.hostname` spells it. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)
}

/** True for an address that nobody in between can read or change: https, or http on this computer. */
export function isConfidential(url: URL | null): boolean {
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
}

/** Takes a host as `URL.hostname` spells it, or an address as DNS gives it. Names are not resolved. */
export function nearnessOf(host: string): Nearness {
  const name = host.toLowerCase().replace(/^\[|\]$|(?<!\.)\.+$|%.*$/g, '')
  if (isLoopbackHost(name) || name === '::1') return 'computer'
  if (IPV4.test(name)) return nearnessOfIpv4(name.split('.').map(Number) as unknown as Ipv4) // the pattern has four
  const groups = name.includes(':') ? ipv6Groups(name) : undefined
  if (groups) return nearnessOfIpv6(groups)
  return LOCAL_NAME.test(name) || !name.includes('.') ? 'network' : 'internet'
}

const NEARNESS: readonly Nearness[] = ['internet', 'network', 'computer']

/** True if a host is on a more private network than another one, which must not lead there. */
export const isNearer = (host: string, than: string): boolean =>
  NEARNESS.indexOf(nearnessOf(host)) > NEARNESS.indexOf(nearnessOf(than))

/** By IANA's registry of special-purpose addresses. */
function nearnessOfIpv4([a, b, c, d]: Ipv4): Nearness {
  if (a === 127 || (a === 0 && b === 0 && c === 0 && d === 0)) return 'computer'
  const closed =
    a === 0 ||
    a === 10 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19))
  return closed ? 'network' : 'internet'
}

/** Only 2000::/3 is the internet. An address that embeds an IPv4 address is judged by that one. */
function nearnessOfIpv6(groups: readonly number[]): Nearness {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  // 6to4, 2002::/16.
  if (a === 0x2002) return nearnessOfIpv4(ipv4Of(b, c))
  const mapped = (e === 0 && (f === 0 || f === 0xffff)) || (e === 0xffff && f === 0)
  const translated = a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0
  if (translated || (a === 0 && b === 0 && c === 0 && d === 0 && mapped)) return nearnessOfIpv4(ipv4Of(g, h))
  // 2001::/32 (Teredo) is a tunnel to any address.
  const global = a >= 0x2000 && a < 0x4000 && !(a === 0x2001 && b === 0)
  return global ? 'internet' : 'network'
}

const ipv4Of = (high: number, low: number): Ipv4 => [high >> 8, high & 255, low >> 8, low & 255]

/** The eight groups of an IPv6 address; undefined for anything else. */
function ipv6Groups(address: string): readonly number[] | undefined {
  if (!URL.canParse(`http://[${address}]/`)) return undefined
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** The host of a URL with its port; any other text stays as it is. */
export const hostOf = (address: string) => URL.parse(address)?.host ?? address
