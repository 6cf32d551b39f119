import { nearnessOf } from './hosts.ts'

/** Oddities of an address, each as a sentence. */
export const ADDRESS_WARNINGS = {
  http: 'It is not encrypted (http): others on the way can read and change what you see and type there.',
  punycode: 'Its host is not in plain letters. Letters of other alphabets can make it look like another one.',
  user: 'It holds a name or password before the host, a way to make a wrong host look right.',
  port: 'It uses an unusual port.',
  ip: 'Its host is a number, not a name.',
  local: 'Local or private network address.',
  long: 'It is very long. The end of its host says whose it is, not the beginning.',
  hidden: 'It was written with characters that cannot be seen or that a browser reads as others.',
} as const

export type AddressWarning = keyof typeof ADDRESS_WARNINGS

/** An address as it is shown before it is opened, so that what is opened is what was shown. */
export interface WebAddress {
  /** The exact URL that is opened: in ASCII, so that every browser reads it alike. */
  readonly href: string
  /** Whom one would be talking to, with the port; in ASCII. `before`, it and `after` together are `href`. */
  readonly host: string
  readonly before: string
  readonly after: string
  readonly warnings: readonly AddressWarning[]
}

const LONG = 2_000
const LONG_HOST = 80
const FOUR = /^\d+(?:\.\d+){3}$/
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|^[^?#]*\\/u

/** Reads an address as a browser would; nothing is fetched. Undefined when it is no http or https address. */
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
    // Nobody is on the way to this computer, and its programs answer at ports of their own.
    http: protocol === 'http:' && nearness !== 'computer',
    punycode: hostname.split('.').some((label) => label.startsWith('xn--')),
    user,
    port: port !== '' && nearness !== 'computer',
    ip: (FOUR.test(hostname) || hostname.startsWith('[')) && nearness !== 'computer',
    local: nearness !== 'internet',
    long: href.length > LONG || hostname.length > LONG_HOST,
    hidden: HIDDEN.test(text),
  }
  return {
    href,
    host,
    before: href.slice(0, at),
    after: href.slice(at + host.length),
    warnings: (Object.keys(found) as AddressWarning[]).filter((warning) => found[warning]), // the keys of its own record
  }
}
