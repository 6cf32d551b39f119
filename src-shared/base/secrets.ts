export const REDACTED = '‹redacted›'

const SECRET_WORD =
  /(?:^|[^a-z])(?:keys?|token|secrets?|passwords?|passwd|pwd|pass|passphrase|auth|authorization|credentials?|cookie|private|pat|bearer|dsn)(?:[^a-z]|$)/i
const SECRET_COMPOUND =
  /(?:api|access|private|secret|signing|account|shared|service)_?key|(?:auth|access|api|bot|refresh|id)_?token|clientsecret|password|database_url|connection_?string/i

/** True if a variable, header or member with this name probably holds a secret. */
export function looksSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  return SECRET_WORD.test(words) || SECRET_COMPOUND.test(name)
}

/** Each pattern has at most one group: the part before the secret, which stays. */
const PATTERNS: readonly RegExp[] = [
  /(\b(?:Bearer|Basic|Digest|Negotiate)\s+)[A-Za-z0-9._~+/=-]{6,}/gi,
  /\bsk-[A-Za-z0-9_-]{12,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  // The bound keeps the match linear in a text full of prefixes.
  /\beyJ[A-Za-z0-9_-]{5,400}\.[A-Za-z0-9_.-]{5,}/g,
  // Unbounded, the engine would run out of backtracking stack.
  /("(?:[a-z0-9_-]*(?:token|secret|password|passphrase|api_?key|private_?key)|authorization|proxy-authorization|cookie|set-cookie|code_verifier|(?:mcp-)?session-?id)"\s*:\s*")(?:[^"\\]|\\.){1,1000000}/gi,
  /(\b(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|mcp-session-id)\s*:\s*)[^\r\n"]+/gi,
  // As programs print them; placeholders stay.
  /((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|access[-_]?key)=["']?)(?![$<*‹{%])(?:(?<=")[^"\r\n]{4,1000}|(?<=')[^'\r\n]{4,1000}|[^\s"'\\,;&<>]{4,})/gi,
  // Passwords in URLs.
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:)[^\s/@]{1,500}(?=@)/gi,
  /([?&](?:[a-z0-9_-]*(?:token|secret|password|key|signature)|code|state|session_?id)=)[^&\s"'<>]+/gi,
]

/** Replaces everything that looks like a secret. */
export function redactUnknown(text: string): string {
  return PATTERNS.reduce(
    (clean, pattern) => clean.replace(pattern, (_whole, kept: unknown) => (typeof kept === 'string' ? kept : '') + REDACTED),
    text,
  )
}
