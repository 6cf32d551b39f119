import { isLoopbackHost } from '../base/hosts.ts'
import { PLAYGROUND_ID } from './servers.ts'

// Limits of a server's configuration: the same for the form, the host and mcp.json.

const NAME_LENGTH = 64

/** Why a server cannot have this name, as a sentence without its full stop; undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'A server needs a name'
  if (name.length > NAME_LENGTH) return `A server’s name has at most ${NAME_LENGTH} characters`
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A server’s name cannot hold invisible characters'
  if (name !== name.trim()) return 'A server’s name cannot begin or end with a space'
  return isReservedName(name) ? `The name “${name}” is taken by Parley itself` : undefined
}

/** The host or the language has it for itself, or a person would take it for the host's. */
export const isReservedName = (name: string): boolean => OUR_NAMES.has(lookOf(name)) || name === '__proto__'

/** Letters of other alphabets, and figures, that look like those of our names. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', е: 'e', ε: 'e', о: 'o', ο: 'o', 0: 'o', р: 'p', ρ: 'p', г: 'r', у: 'y', υ: 'u', γ: 'y' },
  ...{ 1: 'l', i: 'l', і: 'l', ι: 'l', ӏ: 'l', ԁ: 'd', ɡ: 'g', ո: 'n', п: 'n', η: 'n', ʀ: 'r', ʟ: 'l', ʏ: 'y' },
}

/** A name without case, marks, spaces and signs, to find names that look alike. */
function lookOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return [...letters].map((letter) => LOOK_ALIKES[letter] ?? letter).join('')
}

const OUR_NAMES: ReadonlySet<string> = new Set([PLAYGROUND_ID, 'parley'].map(lookOf))

/** A person would not tell them apart. */
export const sameServerName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const VARIABLE_NAME = /^[^=\0]+$/
/** RFC 9110: a header's name is a token. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Why a remote server is not reached at this address, as serverNameProblem. */
export function addressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'This is not an address. It looks like https://example.org/mcp'
  const { protocol, hostname, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address starts with https:// or http://'
  if (protocol === 'http:' && !isLoopbackHost(hostname)) return 'Outside this computer the address starts with https://'
  return username || password ? 'Put the name and password into a header, not into the address' : undefined
}
