import type { Power } from '../../src-shared/contract/consent.ts'
import { type Act, callKey } from './act.ts'
import { isPageStep, isRepeatable, isSure } from './guards.ts'
import { pageTelling } from './known/known-servers.ts'
import { type ConversationProvenance, PERSON, type Source } from './provenance.ts'
import { argumentKind, touchedPlace } from './touches.ts'

/** The person allowed this very call: what it names is theirs from then on, and what was counted of its kind begins again. */
export function recordApproval(act: Act, seen: ConversationProvenance): void {
  seen.resetTurnCounts(act.powers)
  recordAgreedPlaces(act, seen)
}

/** The places of a call that the person allowed, in a conversation that is read again. */
export function recordAgreedPlaces({ tool, touches }: Act, seen: ConversationProvenance): void {
  for (const touch of touches)
    if (touch.is === 'item' && (seen.sourcesOf(touch.value) & PERSON) === 0)
      seen.markUnnamedAllowed(tool.serverId, argumentKind(touch.argument))
  for (const touch of touches) if (touch.is !== 'option') seen.addAgreedValue(touch.value)
}

/** The call goes out: it counts at once, not when its result is there. */
export function recordSent(act: Act, seen: ConversationProvenance): void {
  seen.countUse(
    act.powers.filter((power) => isSure(act, power)),
    isPageStep(act),
  )
  if (isRepeatable(act)) seen.recordRun(callKey(act))
  recordChoices(act, seen)
}

/** Which one the person means, once a call ran for what they typed, and which tables were asked for; in a conversation that is read again as well. */
export function recordChoices({ tool, touches }: Act, seen: ConversationProvenance): void {
  for (const touch of touches)
    if (touch.is === 'statement') seen.readTables(tool.serverId, touch.tables)
    else if (touch.is === 'item' && seen.isTyped(touch.value)) seen.markChosen(tool.serverId, argumentKind(touch.argument))
}

/** The result of a call, with the powers that it had when it was made. */
export function recordResult(
  act: Act,
  source: Source,
  said: string | readonly string[],
  seen: ConversationProvenance,
  powers: readonly Power[] = act.powers,
): void {
  const { serverId, published, name } = act.tool
  seen.addResult(serverId, source, said, powers, touchedPlace(act), pageTelling(published, name))
}
