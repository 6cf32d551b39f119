import { redactUnknown } from '../../src-shared/base/secrets.ts'

/** A run of at least this length is probably a key if it mixes letters and digits. */
const KEYLIKE = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g

/** Distinct parts of a text that look like a key or token. Hexadecimal hashes and ids do not count. */
export function secretsIn(text: string): readonly string[] {
  const found = new Set<string>()
  if (NAMES.test(text))
    for (const [, name, value] of text.matchAll(NAMED)) if (name && value && !PLACEHOLDER.test(value)) found.add(value)
  if (CODES.test(text)) for (const [, code] of text.matchAll(CODE)) if (code) found.add(code)
  for (const [word] of text.length < SHORTEST_LINE ? [] : text.matchAll(KEYLIKE)) {
    if (!mixed(word) || /^[0-9a-f-]+$/i.test(word)) continue
    if (redactUnknown(word) !== word || prefixed(word)) found.add(word)
  }
  if (text.includes(PEM)) found.add(PEM)
  return [...found]
}

export const containsSecret = (text: string): boolean =>
  mayHoldSecret(text) && (secretsIn(text).length > 0 || redactUnknown(text) !== text)

/** A quick check for the marks of all known kinds of secrets: most texts have none and need no full search. */
export function mayHoldSecret(text: string): boolean {
  let long = false
  let [word, line] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
    word = letter || code === 45 || code === 95 ? word + 1 : 0
    line = word > 0 || code === 43 || code === 47 ? line + 1 : 0
    if (word === SHORTEST_KEY) long = true
    if (line === SHORTEST_LINE && prefixed(text.slice(at + 1 - SHORTEST_LINE, at + 1))) return true
  }
  if (long && STARTS_OF_KEYS.test(text)) return true
  const [colon, equals] = [text.includes(':'), text.includes('=')]
  if (colon && text.includes('@')) return true
  if (equals && (text.includes('?') || text.includes('&'))) return true
  return (
    ((colon || equals) && NAMES_OF_SECRETS.test(text)) ||
    SCHEMES.test(text) ||
    CODES.test(text) ||
    text.includes('eyJ') ||
    text.includes(PEM)
  )
}

/** Characters of `sk-…`, and of a key without a known prefix. */
const [SHORTEST_KEY, SHORTEST_LINE] = [15, 24]
const STARTS_OF_KEYS = /sk-|gh[a-z]_|github_|glpat-|xox|akia|asia|aiza/i
const NAMES_OF_SECRETS = /token|secret|pass|key|auth|cookie|credential|code_verifier|session/i
const SCHEMES = /bearer|basic|digest|negotiate/i
const PEM = 'PRIVATE KEY-----'

/** A quick check before NAMED. */
const NAMES = /secret|token|passw|api_?key|private_?key|access_?key|credential|auth_key/i
/** `API_KEY=…`, `"password": "…"`, `token: …`. */
const NAMED =
  /([\w-]{0,40}(?:secret|token|passw(?:or)?d|api_?key|apikey|private_?key|access_?key|credential|auth_key)[\w-]{0,20})["']?\s{0,3}[=:]\s{0,3}["']?([^\s"',;]{8,200})/gi
/** `Your one-time code is 482913`: the first to use it gets in. */
const CODES = /(?:one[-_ ]?time|verification|security|login|recovery|2fa|mfa|sms)[-_ ]?(?:pass)?code/i
const CODE = new RegExp(`${CODES.source}(?:["']?\\s{0,3}[=:]| is)?\\s{0,3}["']?(\\d[\\d -]{2,8}\\d)(?!\\d)`, 'gi')
const PLACEHOLDER = /^(?:\$|<|\*{3}|x{4}|your|example|changeme|\.\.\.|process\.env|null|undefined|true|false|string)/i
const prefixed = (word: string) =>
  /^(?:sk|pk|rk|ghp|gho|ghs|xox|akia|asia|aiza|glpat|npm|hf|dop|shpat|whsec|eyj|live|test)[-_a-z0-9]/i.test(word)
const mixed = (word: string) => /\d/.test(word) && /[a-z]/i.test(word)
