import { HEADER_NAME } from '../../src-shared/contract/server-rules.ts'
import type { ConfigValue } from '../../src-shared/contract/servers.ts'

/** A variable or header while it is edited. */
export interface PairDraft {
  /** Stable while the form is open. */
  readonly key: number
  readonly name: string
  readonly value: string
  /** The secret store's id of a value that was saved before; typing replaces it. */
  readonly saved?: string
}

let lastKey = 0

export function emptyPair(): PairDraft {
  lastKey += 1
  return { key: lastKey, name: '', value: '' }
}

/** One row per configured value, or one empty row. */
export function pairsOf(values: Readonly<Record<string, ConfigValue>>): readonly PairDraft[] {
  const list = Object.entries(values).map(([name, value]) => ({
    ...emptyPair(),
    name,
    ...('secret' in value ? { saved: value.secret } : { value: value.text }),
  }))
  return list.length > 0 ? list : [emptyPair()]
}

/** The values of all rows that are not empty; problems go into `errors`. */
export function pairValues(
  drafts: readonly PairDraft[],
  field: 'env' | 'headers',
  errors: { set(row: `env-${number}` | `headers-${number}`, why: string): unknown },
  check: (name: string, value: string) => string | undefined,
): Readonly<Record<string, ConfigValue>> {
  const seen = new Set<string>()
  const values: [string, ConfigValue][] = []
  for (const pair of drafts) {
    const name = pair.name.trim()
    if (name === '' && pair.value === '' && pair.saved === undefined) continue
    const same = field === 'headers' ? name.toLowerCase() : name
    const error = name === '' ? 'Required' : seen.has(same) ? `${name} appears twice` : check(name, pair.value)
    if (error !== undefined) errors.set(`${field}-${pair.key}`, error)
    seen.add(same)
    const kept = pair.value === '' && pair.saved !== undefined
    values.push([name, kept ? { secret: pair.saved } : { text: pair.value }])
  }
  return Object.fromEntries(values)
}

export function headerProblem(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'A header’s name can contain only letters, digits and -'
  return /[\r\n\0]/.test(value) ? 'A header’s value must be one line' : undefined
}
