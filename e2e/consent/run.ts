// `npm run consent [folder …] [--all] [--built] [--accepted] [--told] [--edits] [--fenced] [--alone]` (README.md beside this file): replays recorded tasks and prints how much is asked, what unsafe passes, and what is asked for nothing.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './replay.ts'
import { readTasks } from './tasks.ts'

const words = process.argv.slice(2)
const built = words.includes('--built') ? await import('./built-engine.ts') : undefined
const { sqlIsReadable } = await import('../../src-main/consent/read-sql.ts')
const { questionsAt, replayAttacks } = await import('./questions.ts')
const { asGuessed, measured, replay, replayAlone, truthOf } = await import('./replay.ts')
await sqlIsReadable
if (words.includes('--attacks')) {
  writeFileSync(new URL('attacks/questions.md', import.meta.url), questionsAt(replayAttacks('was taken in')))
  process.exit()
}
const folders = words.filter((word) => !word.startsWith('--'))
const own = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
].map((name) => fileURLToPath(new URL(name, import.meta.url)))
const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
const replayed = words.includes('--alone') ? replayAlone : replay
let missed = false

for (const folder of folders.length > 0 ? folders.map((name) => resolve(name)) : own) {
  const set = readTasks(folder)
  const { servers, tasks } = set
  const telling = words.includes('--told') ? truthOf(set) : words.includes('--accepted') ? asGuessed : undefined
  const outcomes = tasks.map((task) =>
    replayed(task, servers, { telling, edits: words.includes('--edits'), fenced: words.includes('--fenced') }),
  )
  console.log(`\n${folder}: ${tasks.length} tasks`)
  for (const [n, task] of tasks.entries()) {
    const { calls, questions, unsafe, passed, needless } = measured(outcomes[n] ?? [])
    console.log(
      `  ${task.file.padEnd(38)} ${String(questions).padStart(3)} questions for ${String(calls).padStart(3)} calls, ${needless} needless, ${passed.length} of ${unsafe} unsafe ran`,
    )
  }
  const all = measured(outcomes.flat())
  for (const outcome of all.passed) console.log(`  RAN UNASKED  ${told(outcome)}`)
  if (words.includes('--needless'))
    for (const one of outcomes.flat()) if (one.question !== undefined && one.call.routine) console.log(`  routine  ${told(one)}`)
  if (words.includes('--all'))
    for (const one of outcomes.flat())
      console.log(`  ${one.verdict.is.padEnd(5)} ${one.call.unsafe ? 'UNSAFE ' : one.call.routine ? 'routine ' : ''}${told(one)}`)
  console.log(
    `  asked ${percent(all.questions, all.calls)} of ${all.calls} calls · about ${percent(all.fairAsked, all.fair)} of the ${all.fair} that are not unsafe · unsafe that ran ${all.passed.length} of ${all.unsafe} · needless ${percent(all.needless, all.questions)} of ${all.questions} questions`,
  )
  missed ||= all.questions > 0.33 * all.calls || all.passed.length > 0 || all.needless > 0.1 * all.questions
}
if (built) console.log(`\nMeasured on the build: ${built.taken.size} of its modules.`)
if (missed) {
  console.error('\nAims: at most 33 % asked, none unsafe, at most 10 % needless.')
  process.exitCode = 1
}

function told({ task, call, act, verdict, offered }: Outcome): string {
  const guards = verdict.is === 'ask' ? verdict.guards.map(({ guard }) => guard).join(',') : ''
  const touches = act.touches.map((touch) => `${touch.is}:${touch.argument}=${touch.value.slice(0, 40)}`).join(' ')
  return `${task}: ${call.server}/${call.tool} [${act.powers.join(' ')}; ${act.known}] ${touches} → ${verdict.is === 'allow' && verdict.by === 'rule' ? `rule ${verdict.rule.powers}` : verdict.why} ${guards}${offered ? ` (offer: ${offered})` : ''}`
}
