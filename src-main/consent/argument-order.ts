import type { Touch } from '../../src-shared/contract/consent.ts'
import type { Act } from './act.ts'

const [TO_WHOM, REACH, PLACE, CONTENT, CHOICE] = [0, 1, 2, 3, 4]

const RANKS: Readonly<Record<Exclude<Touch['is'], 'value'>, number>> = {
  recipient: TO_WHOM,
  host: REACH,
  path: REACH,
  amount: REACH,
  statement: REACH,
  command: REACH,
  item: PLACE,
  text: CONTENT,
  option: CHOICE,
}

/** Names of arguments in the order that matters for a decision: to whom, where and how much, what content, how. */
export function argumentOrder({
  args,
  touches,
  powers,
  unread,
}: Pick<Act, 'args' | 'touches' | 'powers' | 'unread'>): readonly string[] {
  const ranks = new Map<string, number>()
  for (const touch of touches) {
    const name = Object.hasOwn(args, touch.argument) ? touch.argument : (touch.argument.split(/[.[]/, 1)[0] ?? '')
    ranks.set(name, Math.min(ranks.get(name) ?? CHOICE, rankOf(touch, unread)))
  }
  const rank = (name: string) => {
    const own = ranks.get(name) ?? (isPlain(args[name]) ? CHOICE : CONTENT)
    // Beside a recipient, only a sum makes a call a payment, so its number is how much.
    return own === CHOICE && powers.includes('spends') && typeof args[name] === 'number' ? REACH : own
  }
  return Object.keys(args).sort((a, b) => rank(a) - rank(b))
}

// A command or statement that was not understood is a value.
const rankOf = (touch: Touch, unread: string | undefined) =>
  touch.is !== 'value' ? RANKS[touch.is] : unread !== undefined ? REACH : touch.vague ? CHOICE : PLACE

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || value === null
