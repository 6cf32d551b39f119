import { onlyReads, type Power, type Touch } from '../../src-shared/contract/consent.ts'
import { type Act, callKey } from './act.ts'
import { isPageStep, isSure } from './guards.ts'
import { pageTelling } from './known/known-servers.ts'
import { listedPlaces } from './listed-places.ts'
import type { ConversationProvenance, Source } from './provenance.ts'
import { addressee, argumentKind, touchedPlace } from './touches.ts'
import { wordsIn } from './words.ts'

/** The person allowed this call: its values count as theirs from now on, and the counts of its powers restart. */
export function recordApproval(act: Act, seen: ConversationProvenance): void {
  seen.resetTurnCounts(act.powers)
  recordAgreedPlaces(act, seen)
}

/** The person denied this call: its hosts and recipients are asked about until they write one or allow a call to it. */
export function recordDenial({ touches }: Act, seen: ConversationProvenance): void {
  seen.recordDenial(touches.flatMap((touch) => addressee(touch) ?? []))
}

/** The part of an approval that is also restored when a conversation is read again. */
export function recordAgreedPlaces({ tool, touches, powers }: Act, seen: ConversationProvenance): void {
  for (const touch of touches)
    if (touch.is === 'item' && !seen.isTyped(touch.value) && !seen.isCalled(tool.serverId, touch.value))
      seen.markUnnamedAllowed(tool.serverId, argumentKind(touch.argument), touch.value, !onlyReads(powers))
  for (const touch of touches) {
    if (touch.is === 'item') {
      seen.markMeant(tool.serverId, touch.value)
      seen.markActedOn(tool.serverId, tool.name, touch.value)
    }
    if (touch.is !== 'option') seen.addAgreedValue(touch.value)
    seen.markAllowedTo(addressee(touch) ?? '')
  }
  seen.markAgreed(tool.serverId, tool.name, touches)
}

/** Counts a call when it is sent, not when its result arrives. */
export function recordSent(act: Act, seen: ConversationProvenance): void {
  seen.countUse(
    act.powers.filter((power) => isSure(act, power)),
    isPageStep(act),
  )
  seen.recordRun(callKey(act))
  recordChoices(act, seen)
}

/** Counts a call of the last turn again when its conversation is read again, since the turn may continue. */
export function recordEarlierCall(act: Act, byPerson: boolean, seen: ConversationProvenance): void {
  if (byPerson) seen.resetTurnCounts(act.powers)
  for (const power of act.powers) if (isSure(act, power)) seen.countInTurn(power, isPageStep(act))
  seen.recordRun(callKey(act))
}

/** Records items that the person typed and tables that were read; also when a conversation is read again. */
export function recordChoices({ tool, touches }: Act, seen: ConversationProvenance): void {
  for (const { argument, value } of touches)
    if (/^\d+$/.test(value)) seen.markNumber(tool.serverId, argumentKind(argument), value)
  for (const touch of touches)
    if (touch.is === 'statement') seen.readTables(tool.serverId, touch.tables)
    else if (touch.is === 'item') {
      const argument = argumentKind(touch.argument)
      if (seen.isTyped(touch.value)) seen.markChosen(tool.serverId, argument, 'value')
      else if (seen.isCalled(tool.serverId, touch.value)) seen.markChosen(tool.serverId, argument, 'name')
    }
}

/** `powers` are those that the call had when it was made. */
export function recordResult(
  act: Act,
  source: Source,
  said: string | readonly string[],
  seen: ConversationProvenance,
  powers: readonly Power[] = act.powers,
): void {
  const { serverId, published, name } = act.tool
  const named = readsNamedFiles(act, seen) ? { named: true as const } : {}
  seen.addResult(serverId, { ...source, ...named }, said, powers, touchedPlace(act), pageTelling(published, name))
  for (const place of listedPlaces(published, name, typeof said === 'string' ? [said] : said))
    seen.addListedPlace(serverId, place)
}

/** True for a reading of files alone whose names the person typed. */
function readsNamedFiles({ powers, touches, carries }: Act, seen: ConversationProvenance): boolean {
  const files = touches.filter(({ is }) => is !== 'option')
  return (
    onlyReads(powers) &&
    carries.length === 0 &&
    files.length > 0 &&
    files.every((touch) => isFile(touch) && wordsIn(touch.value).every((word) => seen.isTyped(word)))
  )
}

const isFile = (touch: Touch) =>
  touch.is === 'path'
    ? !touch.folder
    : touch.is === 'item' && /file|path/i.test(touch.argument) && /[^/\\]\.\w{1,5}$/.test(touch.value)
