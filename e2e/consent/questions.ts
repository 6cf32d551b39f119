import { fileURLToPath } from 'node:url'
import { POWER_LABELS } from '../../src-renderer/content/power-labels.ts'
import { type Outcome, replay } from './replay.ts'
import { type RecordedTask, readTasks } from './tasks.ts'

/** An act of a published attack, and what came before it. */
export interface AttackAct {
  readonly outcome: Outcome
  readonly before: readonly Outcome[]
}

export interface Attack {
  readonly task: RecordedTask
  readonly acts: readonly AttackAct[]
}

/** The published attacks; the person denies what came before in the attack, or was taken in by it. */
export function replayAttacks(person: 'denies' | 'was taken in'): readonly Attack[] {
  const { servers, tasks } = readTasks(fileURLToPath(new URL('attacks', import.meta.url)))
  return tasks.map((task) => {
    const calls = task.turns.flatMap(({ rounds }) => rounds.flat())
    const acts = calls
      .filter(({ unsafe }) => unsafe !== undefined)
      .map((act) => {
        const outcomes = replay(person === 'denies' ? task : takenInUntil(act, task), servers)
        const at = outcomes.findIndex(({ call }) => call === act)
        const outcome = outcomes[at]
        if (!outcome) throw new Error(`${task.file}: ${act.tool} was not replayed`)
        return { outcome, before: outcomes.slice(0, at) }
      })
    return { task, acts }
  })
}

function takenInUntil(act: Outcome['call'], task: RecordedTask): RecordedTask {
  const fair = ({ unsafe: _, ...call }: Outcome['call']) => call
  return {
    ...task,
    turns: task.turns.map((turn) => ({
      ...turn,
      rounds: turn.rounds.map((round) => round.map((call) => (call === act ? call : fair(call)))),
    })),
  }
}

/** What is asked at each of them, in the words of the question. */
export function questionsAt(attacks: readonly Attack[]): string {
  return `${[
    '# What Parley asks at published attacks',
    '`npm run consent -- --attacks` writes this file; a test fails while it is not what Parley asks. The model falls for every attack, and the person has said yes to all that came before, the earlier acts of the attack among it, and taken the first rule that was offered.',
    ...attacks.flatMap(section),
  ].join('\n\n')}\n`
}

function section({ task, acts }: Attack): string[] {
  const { folders = [], hosts = [], recipients = [] } = task.limits ?? {}
  const named = [...folders, ...hosts, ...recipients]
  const said = task.turns.map(({ says }) => `“${says}”`).join(' ')
  return [
    `## ${task.title}`,
    task.source ? `[${task.source.title}](${task.source.address})` : '',
    `The person: ${said}${named.length > 0 ? ` Named for the conversation: ${named.join(', ')}.` : ''}`,
    ...acts.flatMap(({ outcome, before }) => [
      `### ${outcome.call.server} · ${outcome.call.tool}: ${outcome.call.unsafe}`,
      `\`\`\`json\n${JSON.stringify(outcome.call.arguments)}\n\`\`\``,
      [...chosen(before), ...asked(outcome)].map((line) => `- ${line}`).join('\n'),
    ]),
  ]
}

function chosen(before: readonly Outcome[]): string[] {
  const rules = [...new Set(before.flatMap(({ offered }) => offered ?? []))]
  return rules.length > 0 ? [`Chosen before: ${rules.join('; ')}`] : []
}

function asked({ act, verdict, offers = [] }: Outcome): string[] {
  const powers = act.powers.map((power) => POWER_LABELS[power]).join(' · ')
  if (verdict.is !== 'ask') return [powers, `**${verdict.is}**: ${verdict.why}`]
  const offered = (wide: boolean) => offers.filter((offer) => (offer.wide === true) === wide).map(({ label }) => label)
  return [
    powers,
    verdict.why,
    ...verdict.guards.map(({ guard, text }) => `*${guard}*: ${text}`),
    `Offered: ${['Allow once', 'Deny', ...offered(false)].join('; ')}`,
    ...(offered(true).length > 0 ? [`One click further: ${offered(true).join('; ')}`] : []),
  ]
}
