import { looksSecret, REDACTED, redactUnknown } from '../../../src-shared/base/secrets.ts'

/** Shorter values occur in every text; redacting them would destroy it and protect nothing. */
export const MIN_SECRET_LENGTH = 4

/** Removes secrets from a text: known values, in every encoding they travel in, and words that look like a secret. */
export type Redact = (text: string) => string

export function redactor(secrets: Iterable<string>): { readonly redact: Redact; readonly longest: number } {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue
    forms.add(secret)
    forms.add(quoted(secret))
    // Servers embed JSON in strings of JSON.
    forms.add(quoted(quoted(secret)))
    forms.add(encodeURIComponent(secret))
    forms.add(Buffer.from(secret).toString('base64'))
  }
  // The longest goes first, so that a secret that contains another is removed whole.
  const literals = [...forms].sort((a, b) => b.length - a.length)
  const known = literals.length > 0 ? new RegExp(literals.map(escapeForRegExp).join('|'), 'g') : undefined
  return {
    longest: literals[0]?.length ?? 0,
    redact(text) {
      return redactUnknown(known ? text.replace(known, REDACTED) : text)
    },
  }
}

/** The same error with its messages and those of its causes redacted: a server may repeat a secret that it was sent. */
export function cleanError(error: unknown, redact: Redact): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const clean = redact(at.message)
    // The message of an abort's reason is read-only, and holds nothing of a server.
    if (clean === at.message || at instanceof DOMException) continue
    at.message = clean
    if (at.stack !== undefined) at.stack = redact(at.stack)
  }
  return error
}

/** True if a configured value must not be shown, because its name or its text looks like a secret's. */
export function holdsSecret(name: string, text: string): boolean {
  return text !== '' && (looksSecret(name) || redactUnknown(text) !== text)
}

/** Redacts arguments that look like a secret or follow the name of one: `--token x`, `--api-key=x`, `-e KEY=x`. */
export function withoutSecretArguments(args: readonly string[]): readonly string[] {
  return args.map((arg, at) => {
    const named = /^([^=\s]+=)(.+)$/s.exec(arg)
    if (named?.[1] && looksSecret(named[1])) return `${named[1]}${REDACTED}`
    const before = args[at - 1] ?? ''
    const follows = /^--?[A-Za-z]/.test(before) && !before.includes('=') && looksSecret(before)
    return follows && !/^--[A-Za-z]/.test(arg) ? REDACTED : redactUnknown(arg)
  })
}

const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
