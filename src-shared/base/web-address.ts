import { nearnessOf } from './hosts.ts'

export const ADDRESS_WARNINGS = {
  http: 'It is not encrypted (http): others can read and change what you see and type there.',
  punycode: 'Its host has letters of other alphabets, which can make it look like another one.',
  user: 'It has a name or password before the host, which can make a wrong host look right.',
  port: 'It uses an unusual port.',
  ip: 'Its host is a number, not a name.',
  local: 'Local or private network address.',
  long: 'It is very long. The end of its host shows who owns it, not the beginning.',
  hidden: 'It was written with invisible characters, or ones that a browser replaces.',
} as const

export type AddressWarning = keyof typeof ADDRESS_WARNINGS

/** An address taken apart for a person to check before it is opened. */
export interface WebAddress {
  /** The exact URL that is opened, in ASCII so that every browser reads it alike. */
  readonly href: string
  /** With the port, in ASCII. `before`, `host` and `after` together are `href`. */
  readonly host: string
  readonly before: string
  readonly after: string
  readonly warnings: readonly AddressWarning[]
}

const LONG = 2_000
const LONG_HOST = 80
const IPV4 = /^\d+(?:\.\d+){3}$/
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|^[^?#]*\\/u

/** Reads an address as a browser would, without fetching it. Undefined for anything but http and https. */
export function webAddress(text: string): WebAddress | undefined {
  // `canParse` accepts more than the constructor does: very long hosts, for one.
  const url = URL.parse(text)
  if (!url) return undefined
  const { href, protocol, hostname, host, port, username, password } = url
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const user = username !== '' || password !== ''
  const at = href.indexOf(user ? '@' : '//') + (user ? 1 : 2)
  const nearness = nearnessOf(hostname)
  const found: Readonly<Record<AddressWarning, boolean>> = {
    // Traffic to this computer passes nobody, and its programs use any port.
    http: protocol === 'http:' && nearness !== 'computer',
    punycode: hostname.split('.').some((label) => label.startsWith('xn--')),
    user,
    port: port !== '' && nearness !== 'computer',
    ip: (IPV4.test(hostname) || hostname.startsWith('[')) && nearness !== 'computer',
    local: nearness !== 'internet',
    long: href.length > LONG || hostname.length > LONG_HOST,
    hidden: HIDDEN.test(text),
  }
  return {
    href,
    host,
    before: href.slice(0, at),
    after: href.slice(at + host.length),
    warnings: (Object.keys(found) as AddressWarning[]).filter((warning) => found[warning]),
  }
}
