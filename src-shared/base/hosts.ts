/** The reach of a host, as far as its name or address tells: this computer, a network that strangers cannot reach, or public. */
export type Nearness = 'computer' | 'network' | 'internet'

type Four = readonly [number, number, number, number]

const LOCAL_NAME = /(?:^|\.)(?:local|internal|intranet|lan|home|corp|home\.arpa)$/
const FOUR = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** True for this computer, as `URL.hostname` spells it. Nobody listens in between, so http is as good as https there. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)
}

/** Judges a host as `URL.hostname` spells it, or an address as a look-up gives it. Names are not looked up. */
export function nearnessOf(host: string): Nearness {
  const name = host.toLowerCase().replace(/^\[|\]$|(?<!\.)\.+$|%.*$/g, '')
  if (isLoopbackHost(name) || name === '::1') return 'computer'
  if (FOUR.test(name)) return nearnessOfFour(name.split('.').map(Number) as unknown as Four) // the pattern has four
  const groups = name.includes(':') ? groupsOf(name) : undefined
  if (groups) return nearnessOfGroups(groups)
  return LOCAL_NAME.test(name) || !name.includes('.') ? 'network' : 'internet'
}

/** Addresses that are neither global nor multicast by IANA's registry of special addresses. */
function nearnessOfFour([a, b, c, d]: Four): Nearness {
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

/** Only 2000::/3 is the internet; an address that stands for one of the fourth version is judged by that. */
function nearnessOfGroups(groups: readonly number[]): Nearness {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  // 6to4, 2002::/16.
  if (a === 0x2002) return nearnessOfFour(fourOf(b, c))
  const mapped = (e === 0 && (f === 0 || f === 0xffff)) || (e === 0xffff && f === 0)
  const translated = a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0
  if (translated || (a === 0 && b === 0 && c === 0 && d === 0 && mapped)) return nearnessOfFour(fourOf(g, h))
  // 2001::/32 is a tunnel to wherever it says.
  const global = a >= 0x2000 && a < 0x4000 && !(a === 0x2001 && b === 0)
  return global ? 'internet' : 'network'
}

const fourOf = (high: number, low: number): Four => [high >> 8, high & 255, low >> 8, low & 255]

/** The eight numbers of an address of the sixth version; undefined when it is none. */
function groupsOf(address: string): readonly number[] | undefined {
  if (!URL.canParse(`http://[${address}]/`)) return undefined
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** Of an address, with its port; what is none stays as it is. */
export const hostOf = (address: string) => URL.parse(address)?.host ?? address
