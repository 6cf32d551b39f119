import { canonicalJson, type JsonValue } from '../../src-shared/base/json.ts'
import type { Act } from './act.ts'

/** Characters; longer arguments are content rather than a name. */
const MAX_NAME_LENGTH = 300

/**
 * The argument that distinguishes a call from others of its tool: the first with a unique value, targets before content; several if none
 * is unique. Undefined without arguments.
 */
export function distinguishingArgument(act: Act, others: readonly Act[]): string | undefined {
  const names = Object.keys(act.args)
  const steering = new Set(act.touches.filter(({ is }) => is !== 'option').map(({ argument }) => argument.split(/[.[]/, 1)[0]))
  const rank = (name: string) => (steering.has(name) ? 0 : 1) + (textOf(act.args[name]).length > MAX_NAME_LENGTH ? 2 : 0)
  const ranked = names.sort((a, b) => rank(a) - rank(b))
  const differs = (name: string) => (other: Act) =>
    canonicalJson(other.args[name] ?? null) !== canonicalJson(act.args[name] ?? null)
  const alone = ranked.find((name) => others.every(differs(name)))
  const told = alone === undefined ? ranked.filter((name) => others.some(differs(name))) : [alone]
  const texts = (told.length > 0 ? told : ranked.slice(0, 1)).map((name) => describeValue(name, act.args[name]))
  return texts.length > 0 ? texts.join(' · ') : undefined
}

/** Numbers and booleans need their name. */
function describeValue(name: string, value: JsonValue | undefined): string {
  return typeof value === 'number' || typeof value === 'boolean' ? `${name} ${value}` : textOf(value)
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return canonicalJson(value ?? null)
}
