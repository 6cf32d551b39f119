/** What stands where a secret stood. */
export const REDACTED = '‹redacted›'

/** Shorter values would take half of every text with them and protect nothing. */
const SHORTEST_SECRET = 4

const SECRET_WORD =
  /(?:^|[^a-z])(?:keys?|token|secrets?|passwords?|passwd|pwd|pass|passphrase|auth|authorization|credentials?|cookie|private|pat|bearer|dsn)(?:[^a-z]|$)/i
const SECRET_COMPOUND =
  /(?:api|access|private|secret|signing|account|shared|service)_?key|(?:auth|access|api|bot|refresh|id)_?token|clientsecret|password|database_url|connection_?string/i

/** Whether the name of a variable, header or member says that its value must not be shown. */
export function looksSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  return SECRET_WORD.test(words) || SECRET_COMPOUND.test(name)
}

/** Texts that are secrets wherever they stand. Each pattern has at most one group: what may stay, before the secret. */
const PATTERNS: readonly RegExp[] = [
  /(\b(?:Bearer|Basic|Digest|Negotiate)\s+)[A-Za-z0-9._~+/=-]{6,}/gi,
  /\bsk-[A-Za-z0-9_-]{12,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  // The first part is bounded, so that a text full of beginnings costs no more than its length.
  /\beyJ[A-Za-z0-9_-]{5,400}\.[A-Za-z0-9_.-]{5,}/g,
  /("(?:[a-z0-9_-]*(?:token|secret|password|passphrase|api_?key|private_?key)|authorization|proxy-authorization|cookie|set-cookie|code_verifier|(?:mcp-)?session-?id)"\s*:\s*")(?:[^"\\]|\\.)+/gi,
  /(\b(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|mcp-session-id)\s*:\s*)[^\r\n"]+/gi,
  /([?&](?:[a-z0-9_-]*(?:token|secret|password|key|signature)|code|state|session_?id)=)[^&\s"'<>]+/gi,
]

/** Takes what must not be kept or shown out of a text: known values literally, in the forms they travel in, and what looks like a secret. */
export type Redact = (text: string) => string

export function redactor(secrets: Iterable<string>): { readonly redact: Redact; readonly longest: number } {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue
    forms.add(secret)
    forms.add(JSON.stringify(secret).slice(1, -1))
    forms.add(encodeURIComponent(secret))
    forms.add(Buffer.from(secret).toString('base64'))
  }
  // The longest first, so that a secret that contains another goes as a whole.
  const literals = [...forms].sort((a, b) => b.length - a.length)
  const known = literals.length > 0 ? new RegExp(literals.map(escapeForRegExp).join('|'), 'g') : undefined
  return {
    longest: literals[0]?.length ?? 0,
    redact(text) {
      let clean = known ? text.replace(known, REDACTED) : text
      for (const pattern of PATTERNS) {
        clean = clean.replace(pattern, (_whole, kept: unknown) => (typeof kept === 'string' ? kept : '') + REDACTED)
      }
      return clean
    },
  }
}

/** For texts of which no secret is known beforehand. */
export const redactUnknown: Redact = redactor([]).redact

/** The same error, with nothing secret in what it and its causes say: a server may say again what it was sent. */
export function cleanError(error: unknown, redact: Redact): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const clean = redact(at.message)
    // An abort's reason says nothing of a server, and cannot be changed.
    if (clean === at.message || at instanceof DOMException) continue
    at.message = clean
    if (at.stack !== undefined) at.stack = redact(at.stack)
  }
  return error
}

/** Whether a configured value must not be shown: by its name, or because the text itself looks like a key. */
export function holdsSecret(name: string, text: string): boolean {
  return text !== '' && (looksSecret(name) || redactUnknown(text) !== text)
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
