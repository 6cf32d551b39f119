import type { Act } from './act.ts'
import { isSure } from './guards.ts'
import type { Seen } from './seen.ts'

/** The person allowed this very call: what it names is theirs from then on, and what was counted of its kind begins again. */
export function allowedByPerson(act: Act, seen: Seen): void {
  seen.answeredFor(act.powers)
  agreedTo(act, seen)
}

/** What a call names that the person allowed, in a conversation that is read again. */
export function agreedTo({ touches }: Act, seen: Seen): void {
  for (const touch of touches) if (touch.is !== 'option') seen.agreed(touch.value)
}

/** The call goes out: it counts at once, not when its result is there. */
export function letThrough(act: Act, seen: Seen): void {
  seen.used(act.powers.filter((power) => isSure(act, power)))
}
