import { redactUnknown } from '../../src-shared/base/secrets.ts'

/** A word of this many characters with letters and digits mixed is more likely a key than a word. */
const KEYLIKE = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g

/** What looks like a key or token in a text, each once. Hashes and ids of hexadecimal digits are no secrets by their looks. */
export function secretsIn(text: string): readonly string[] {
  const found = new Set<string>()
  if (NAMES.test(text))
    for (const [, name, value] of text.matchAll(NAMED)) if (name && value && !PLACEHOLDER.test(value)) found.add(value)
  for (const [word] of text.length < 24 ? [] : text.matchAll(KEYLIKE)) {
    if (!mixed(word) || /^[0-9a-f-]+$/i.test(word)) continue
    if (redactUnknown(word) !== word || prefixed(word)) found.add(word)
  }
  if (text.includes('PRIVATE KEY-----')) found.add('PRIVATE KEY-----')
  return [...found]
}

/** Quick to look for in what has none. */
const NAMES = /secret|token|passw|api_?key|private_?key|access_?key|credential|auth_key/i
/** `API_KEY=…`, `"password": "…"`, `token: …`. */
const NAMED =
  /([\w-]{0,40}(?:secret|token|passw(?:or)?d|api_?key|apikey|private_?key|access_?key|credential|auth_key)[\w-]{0,20})["']?\s{0,3}[=:]\s{0,3}["']?([^\s"',;]{8,200})/gi
const PLACEHOLDER = /^(?:\$|<|\*{3}|x{4}|your|example|changeme|\.\.\.|process\.env|null|undefined|true|false|string)/i
const prefixed = (word: string) =>
  /^(?:sk|pk|rk|ghp|gho|ghs|xox|akia|asia|aiza|glpat|npm|hf|dop|shpat|whsec|eyj|live|test)[-_a-z0-9]/i.test(word)
const mixed = (word: string) => /\d/.test(word) && /[a-z]/i.test(word)
