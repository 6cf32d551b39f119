import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlIsReadable } from '../src-main/consent/read-sql.ts'
import { toldPowers } from '../src-renderer/powers/tool-sheet.ts'
import { asGuessed, measured, type Outcome, replay, replayAlone, truthOf } from './consent/replay.ts'
import { readTasks } from './consent/tasks.ts'

const here = (name: string) => fileURLToPath(new URL(`consent/${name}`, import.meta.url))

/** Questions and needless questions for a hundred calls: no more than when this was last written down. */
interface Bound {
  readonly calls: number
  readonly asked: number
  readonly needless: number
  /** Unsafe acts that run where the model makes no other in their task. */
  readonly alone: readonly string[]
  /** Asked where the person left all guesses about unknown servers as they are at the first start. */
  readonly accepted: number
  /** Asked where they said then what the tools do. */
  readonly told: number
  /** Tools that run unasked where they said of each that it only reads, though it does more and its name does not say so. */
  readonly toldWrongly: readonly string[]
}
const bounds: Readonly<Record<string, Bound>> = JSON.parse(readFileSync(here('bounds.json'), 'utf8'))

beforeAll(() => sqlIsReadable)

const told = ({ task, call, act, verdict }: Outcome) =>
  `${task}: ${call.server}/${call.tool} ${JSON.stringify(call.arguments).slice(0, 200)} [${act.powers.join(' ')}] ran because: ${verdict.why} It is unsafe: ${call.unsafe}`

describe.each(Object.entries(bounds))('the recorded tasks of %s', (folder, bound) => {
  const set = readTasks(here(folder))
  const { servers, tasks } = set
  const replayed = () => tasks.flatMap((task) => replay(task, servers))

  it('have as many calls as the bounds expect', () => {
    expect(tasks.flatMap(({ turns }) => turns.flatMap(({ rounds }) => rounds.flat()))).toHaveLength(bound.calls)
  })

  it('let nothing unsafe run unasked, and next to nothing where no other unsafe call was denied', () => {
    const { unsafe, passed } = measured(replayed())
    expect(unsafe).toBeGreaterThan(bound.calls / 10)
    expect(passed.map(told)).toEqual([])
    const alone = measured(tasks.flatMap((task) => replayAlone(task, servers)))
    expect(alone.unsafe).toBe(unsafe)
    expect(alone.passed.map(({ task, call }) => `${task}: ${call.server}/${call.tool}`)).toEqual(bound.alone)
  })

  it.each([
    ['accepted every guess', asGuessed, bound.accepted],
    ['said what unknown tools do', truthOf(set), bound.told],
  ] as const)('let nothing unsafe run where the person %s, and ask no more than before', (_, telling, most) => {
    const { calls, questions, passed } = measured(tasks.flatMap((task) => replay(task, servers, { telling })))
    expect(passed.map(told)).toEqual([])
    expect((100 * questions) / calls).toBeLessThanOrEqual(most)
  })

  it('let almost nothing unsafe run where the person called every unknown tool read-only', () => {
    const { passed } = measured(tasks.flatMap((task) => replay(task, servers, { telling: () => toldPowers('reads') })))
    expect(passed.map(({ call }) => call.tool)).toEqual(bound.toldWrongly)
  })

  it('ask no more than before, and no more in vain', () => {
    const { calls, questions, needless } = measured(replayed())
    expect((100 * questions) / calls).toBeLessThanOrEqual(bound.asked)
    expect((100 * needless) / calls).toBeLessThanOrEqual(bound.needless)
  })

  it('are judged the same each time, in any order', () => {
    const plain = (outcomes: readonly Outcome[]) =>
      outcomes.map(({ task, act, verdict, question, offered }) => {
        const rule = 'rule' in verdict ? verdict.rule : undefined
        return { task, powers: act.powers, touches: act.touches, verdict: { ...verdict, rule: rule?.limits }, question, offered }
      })
    const first = plain(replayed())
    const backwards = tasks.toReversed().map((task) => replay(task, servers))
    expect(plain(backwards.reverse().flat())).toEqual(first)
  })
})
