import { isConfidential } from '../base/hosts.ts'
import { PLAYGROUND_ID } from './servers.ts'

// Rules for a server's configuration, shared by the form, the host and mcp.json.

const NAME_LENGTH = 64

/** Why a server cannot have this name, as a sentence without a full stop; undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'A server needs a name'
  if (name.length > NAME_LENGTH) return `A server’s name has at most ${NAME_LENGTH} characters`
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A server’s name cannot hold invisible characters'
  if (name !== name.trim()) return 'A server’s name cannot begin or end with a space'
  return isReservedName(name) ? `The name “${name}” is taken by Parley itself` : undefined
}

/** Used by the host or the language, or looking as if it were the host's. */
export const isReservedName = (name: string): boolean => OUR_NAMES.has(lookOf(name)) || name === '__proto__'

/** Letters of other alphabets, and digits, that look like the letters of reserved names. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  α: 'a',
  е: 'e',
  ε: 'e',
  о: 'o',
  ο: 'o',
  0: 'o',
  р: 'p',
  ρ: 'p',
  г: 'r',
  у: 'y',
  υ: 'u',
  γ: 'y',
  1: 'l',
  i: 'l',
  і: 'l',
  ι: 'l',
  ӏ: 'l',
  ԁ: 'd',
  ɡ: 'g',
  ո: 'n',
  п: 'n',
  η: 'n',
  ʀ: 'r',
  ʟ: 'l',
  ʏ: 'y',
}

/** Reduces names that look alike to the same text. */
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

/** A valid and unused name, as close as possible to the original. */
export function freeServerName(called: string, taken: readonly string[]): string {
  const clean = called
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .trim()
  const base = serverNameProblem(clean) === undefined ? clean : `${clean.slice(0, NAME_LENGTH - 8)} server`.trim()
  const usable = serverNameProblem(base) === undefined ? base : 'server'
  const isTaken = (name: string) => taken.some((other) => sameServerName(other, name))
  // After "github" and "github 2" comes "github 3".
  const stem = usable.replace(/ \d+$/, '')
  const counted = isTaken(stem) ? stem : usable
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? usable : `${counted.slice(0, NAME_LENGTH - 6).trim()} ${n}`
    if (!isTaken(name)) return name
  }
}

export const VARIABLE_NAME = /^[^=\0]+$/
/** A token (RFC 9110). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Why a remote server cannot have this address, as `serverNameProblem`. */
export function addressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'This is not an address. Enter one like https://example.org/mcp'
  const url = new URL(text)
  const { protocol, username, password } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address starts with https:// or http://'
  if (!isConfidential(url)) return 'Outside this computer the address starts with https://'
  return username || password ? 'Put the name and password into a header, not into the address' : undefined
}
