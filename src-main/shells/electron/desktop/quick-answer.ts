import type { Power } from '../../../../src-shared/contract/consent.ts'
import type { Answer, Interaction } from '../../../../src-shared/contract/interactions.ts'

/** Characters that a notification shows whole on every system: a line of title, and few of text. */
const TITLE = 60
const TEXT = 120

/** Calls that destroy, send or spend are decided in the window. */
const MILD: readonly Power[] = ['reads', 'brings-in', 'changes']

/** A question that may be answered from a notification, with its whole text. */
interface QuickAnswer {
  readonly title: string
  readonly body: string
  readonly allow: Answer
  readonly deny: Answer
}

/**
 * One call that a person can judge by what fits a notification, allowed once; undefined for every other question. No guard holds it
 * up, and nothing of it is cut, hidden or left out.
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
  if (!isPlain(title) || title.length > TITLE || call.arguments.json.length > TEXT) return undefined
  return {
    title,
    body: call.arguments.json === '{}' ? 'No arguments.' : call.arguments.json,
    allow: { id, kind, answer: { decision: 'allow', calls: [call.toolCallId] } },
    deny: { id, kind, answer: { decision: 'deny' } },
  }
}

/** Scripts that run one way, and whose letters do not pass for those of another. */
const PLAIN = /^[ -~\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u

/** Nothing in it can be unseen, be pushed out of sight, turn the order around, or be taken for other letters or for markup. */
function isPlain(text: string): boolean {
  return PLAIN.test(text) && text === text.normalize('NFKC') && !/[<>]|&\w*;| {3}/.test(text)
}
