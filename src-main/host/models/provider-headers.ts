import { HostError } from '../../../src-shared/contract/errors.ts'
import { HEADER_NAME } from '../../../src-shared/contract/server-rules.ts'
import type { SecretStore, StoredProvider } from '../../storage/base/storage.ts'
import { holdsSecret } from '../core/redact.ts'

type Headers = NonNullable<StoredProvider['headers']>

/** Headers that the HTTP client sets itself. */
const RESERVED = new Set('content-type accept content-length host connection transfer-encoding'.split(' '))

/** Throws HostError `invalid-params`. */
export function checkHeaders(headers: Headers): void {
  const wrong = Object.entries(headers).flatMap(([name, value]) => problemOf(name, value) ?? [])[0]
  if (wrong) throw new HostError('invalid-params', wrong)
}

function problemOf(name: string, value: Headers[string]): string | undefined {
  if (!HEADER_NAME.test(name)) return `“${name}” is not a valid header name.`
  if (RESERVED.has(name.toLowerCase())) return `The header “${name}” is set by Parley itself.`
  if ('text' in value && !/^[\t\x20-\x7e\x80-\xff]*$/.test(value.text)) {
    return `The value of “${name}” can only have Latin characters, on one line.`
  }
  return undefined
}

/**
 * The headers to store. Values that look secret go to the secret store. A reference that the page sends back is kept only if `earlier`
 * has it under this name. So a secret goes only to the address that it was entered for.
 */
export async function storeHeaders(
  provider: string,
  headers: Headers,
  earlier: Headers,
  secrets: Pick<SecretStore, 'set'>,
): Promise<Headers> {
  const stored: Record<string, Headers[string]> = {}
  for (const [name, value] of Object.entries(headers)) {
    const before = earlier[name]
    if ('secret' in value) {
      if (before && 'secret' in before && before.secret === value.secret) stored[name] = before
    } else if (holdsSecret(name, value.text)) {
      const secret = `provider/${provider}/header/${name.toLowerCase()}`
      await secrets.set(secret, value.text)
      stored[name] = { secret }
    } else stored[name] = { text: value.text }
  }
  return stored
}

/** Removes the secrets of `headers` that `kept` does not use. */
export async function forgetHeaders(headers: Headers, kept: Headers, secrets: Pick<SecretStore, 'remove'>): Promise<void> {
  const still = new Set(secretsOf(kept))
  for (const secret of secretsOf(headers)) if (!still.has(secret)) await secrets.remove(secret)
}

/** The headers to send; one whose secret is missing is left out. */
export async function readHeaders(headers: Headers, secrets: Pick<SecretStore, 'get'>): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = 'text' in value ? value.text : await secrets.get(value.secret)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

const secretsOf = (headers: Headers) => Object.values(headers).flatMap((value) => ('secret' in value ? value.secret : []))
