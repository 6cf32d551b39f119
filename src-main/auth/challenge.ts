/** A challenge in `WWW-Authenticate` (RFC 9110, 11.6.1). */
interface Challenge {
  /** Lower-case. */
  readonly scheme: string
  /** Lower-case names and unquoted values; the first of a name counts. */
  readonly params: Readonly<Record<string, string>>
}

/** The members of a bearer challenge that sign-in acts on (RFC 6750, RFC 9728). */
export interface BearerChallenge {
  /** The address of the resource metadata, not of the authorization server (AUTH-45). */
  readonly resourceMetadata?: string
  readonly scopes?: readonly string[]
  readonly error?: string
  /** Server text. */
  readonly description?: string
}

const MAX_LENGTH = 16 * 1024
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
const SPACE = /[ \t]*/y
const COMMAS = /[ \t,]*/y
const EQUALS = /[ \t]*=[ \t]*/y
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy
/** Servers also write other characters without quotes: addresses, lists of scopes. */
const BARE = /[^\s,"]+/y
const TOKEN68 = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y

/** Every challenge of a header, or of several joined by commas. Never throws; invalid parts are skipped. */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const text = (header ?? '').slice(0, MAX_LENGTH)
  const challenges: { scheme: string; params: Record<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    take(COMMAS)
    const name = take(TOKEN)?.[0]
    if (name === undefined) {
      at += 1
      continue
    }
    const current = challenges.at(-1)
    if (current && take(EQUALS)) {
      const value = take(QUOTED)?.[1]?.replace(/\\(.)/gs, '$1') ?? take(BARE)?.[0] ?? ''
      const key = name.toLowerCase()
      if (!Object.hasOwn(current.params, key)) current.params[key] = value
    } else {
      challenges.push({ scheme: name.toLowerCase(), params: {} })
      // A value without a name, as in `Negotiate YII==`, is skipped.
      take(SPACE)
      const before = at
      if (take(TOKEN68) && text.slice(before, at) === '') at = before
    }
  }
  return challenges
}

/** The bearer challenge of a response; empty when there is none. */
export function bearerChallenge(header: string | undefined): BearerChallenge {
  const found = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer')
  const params = (found.find((one) => one.params.resource_metadata !== undefined) ?? found[0])?.params ?? {}
  const { resource_metadata: resourceMetadata, scope, error, error_description: description } = params
  const scopes = scope === undefined ? [] : scopesOf(scope)
  return {
    ...(resourceMetadata && { resourceMetadata }),
    ...(scopes.length > 0 && { scopes }),
    ...(error && { error }),
    ...(description && { description: description.slice(0, 300) }),
  }
}

const MAX_SCOPES = 100

/** A space-separated list, without repetitions. */
export function scopesOf(text: string): readonly string[] {
  return [...new Set(text.split(/\s+/).filter((scope) => scope !== ''))].slice(0, MAX_SCOPES)
}
