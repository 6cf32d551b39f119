import type { Power } from '../../../../src-shared/contract/consent.ts'
import type { Answer, Interaction } from '../../../../src-shared/contract/interactions.ts'

/** The lengths that a notification shows in full on every system. */
const MAX_TITLE_LENGTH = 60
const MAX_TEXT_LENGTH = 120

/** Calls with other powers are decided in the window. */
const MILD: readonly Power[] = ['reads', 'brings-in', 'changes']

/** A question with its full text that can be answered in a notification. */
interface QuickAnswer {
  readonly title: string
  readonly body: string
  readonly allow: Answer
  readonly deny: Answer
}

/**
 * For a single mild call that fits a notification in full, without guards or anything cut or hidden. Undefined for every other
 * question.
 */
export function quickAnswer(interaction: Interaction): QuickAnswer | undefined {
  if (interaction.kind !== 'tool-consent') return undefined
  const { id, kind, question } = interaction
  const [call, ...others] = question.calls
  if (!call || others.length > 0) return undefined
  if (call.guards.length > 0 || call.changed || call.unchecked !== undefined || call.mirrored?.length) return undefined
  if (call.powers.length === 0 || !call.powers.every((power) => MILD.includes(power))) return undefined
  if (call.arguments.whole || !isPlain(call.arguments.json)) return undefined
  const title = `Run ${call.tool} on ${call.serverName}?`
  if (!isPlain(title) || title.length > MAX_TITLE_LENGTH || call.arguments.json.length > MAX_TEXT_LENGTH) return undefined
  return {
    title,
    body: call.arguments.json === '{}' ? 'No arguments.' : call.arguments.json,
    allow: { id, kind, answer: { decision: 'allow', calls: [call.toolCallId] } },
    deny: { id, kind, answer: { decision: 'deny' } },
  }
}

/** Left-to-right scripts whose letters do not look like those of another. */
const PLAIN = /^[ -~\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u

/** True if no character is hidden, pushed out of sight, reversed, or mistaken for another or for markup. */
function isPlain(text: string): boolean {
  return PLAIN.test(text) && text === text.normalize('NFKC') && !/[<>]|&\w*;| {3}/.test(text)
}
