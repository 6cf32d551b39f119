import { looksSecret, REDACTED, redactUnknown } from '../../../src-shared/base/secrets.ts'

/** Shorter values would take half of every text with them and protect nothing. */
export const MIN_SECRET_LENGTH = 4

/** Takes what must not be kept or shown out of a text: known values literally, in the forms they travel in, and what looks like a secret. */
export type Redact = (text: string) => string

export function redactor(secrets: Iterable<string>): { readonly redact: Redact; readonly longest: number } {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue
    forms.add(secret)
    forms.add(quoted(secret))
    // Servers put JSON into texts of JSON.
    forms.add(quoted(quoted(secret)))
    forms.add(encodeURIComponent(secret))
    forms.add(Buffer.from(secret).toString('base64'))
  }
  // The longest first, so that a secret that contains another goes as a whole.
  const literals = [...forms].sort((a, b) => b.length - a.length)
  const known = literals.length > 0 ? new RegExp(literals.map(escapeForRegExp).join('|'), 'g') : undefined
  return {
    longest: literals[0]?.length ?? 0,
    redact(text) {
      return redactUnknown(known ? text.replace(known, REDACTED) : text)
    },
  }
}

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

/** True if a configured value must not be shown: by its name, or because the text itself looks like a key. */
export function holdsSecret(name: string, text: string): boolean {
  return text !== '' && (looksSecret(name) || redactUnknown(text) !== text)
}

/** Arguments without secrets that follow or stand behind the name of one, as in `--token x`, `--api-key=x`, `-e KEY=x`, or look like one. */
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
