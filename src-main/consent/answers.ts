import type { Power } from '../../src-shared/contract/consent.ts'
import { type Act, callKey } from './act.ts'
import { isRepeatable, isStep, isSure } from './guards.ts'
import { pageTelling } from './known/known-servers.ts'
import { type ConversationProvenance, PERSON, type Source } from './provenance.ts'
import { kindOf, placeOf } from './touches.ts'

/** The person allowed this very call: what it names is theirs from then on, and what was counted of its kind begins again. */
export function allowedByPerson(act: Act, seen: ConversationProvenance): void {
  seen.answeredFor(act.powers)
  agreedTo(act, seen)
}

/** The places of a call that the person allowed, in a conversation that is read again. */
export function agreedTo({ tool, touches }: Act, seen: ConversationProvenance): void {
  for (const touch of touches)
    if (touch.is === 'item' && (seen.sourcesOf(touch.value) & PERSON) === 0) seen.opened(tool.serverId, kindOf(touch.argument))
  for (const touch of touches) if (touch.is !== 'option') seen.agreed(touch.value)
}

/** The call goes out: it counts at once, not when its result is there. */
export function letThrough(act: Act, seen: ConversationProvenance): void {
  seen.used(
    act.powers.filter((power) => isSure(act, power)),
    isStep(act),
  )
  if (isRepeatable(act)) seen.ran(callKey(act))
  ran(act, seen)
}

/** Which one the person means, once a call ran for what they typed, and which tables were asked for; in a conversation that is read again as well. */
export function ran({ tool, touches }: Act, seen: ConversationProvenance): void {
  for (const touch of touches)
    if (touch.is === 'statement') seen.readTables(tool.serverId, touch.tables)
    else if (touch.is === 'item' && seen.isTyped(touch.value)) seen.chose(tool.serverId, kindOf(touch.argument))
}

/** The result of a call, with the powers that it had when it was made. */
export function broughtBack(
  act: Act,
  source: Source,
  said: string | readonly string[],
  seen: ConversationProvenance,
  powers: readonly Power[] = act.powers,
): void {
  const { serverId, published, name } = act.tool
  seen.result(serverId, source, said, powers, placeOf(act), pageTelling(published, name))
}
