import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { isFinal, type Task } from '../protocol/task.ts'
import { EarlyTasks, newerTask } from './task-state.ts'

const task = (status: Task['status'], lastUpdatedAt?: number, taskId = 'k'): Task => ({
  taskId,
  status,
  ...(lastUpdatedAt !== undefined && { lastUpdatedAt }),
})
const status = fc.constantFrom<Task['status']>('working', 'input_required', 'completed', 'failed', 'cancelled')
const anyTask = fc.tuple(status, fc.option(fc.nat(9), { nil: undefined })).map(([is, at]) => task(is, at))

describe('the state of a task', () => {
  it('never leaves a final status, and never goes back in time (TASK-8)', () => {
    fc.assert(
      fc.property(fc.array(anyTask, { minLength: 1 }), (heard) => {
        let known = task('working', 0)
        for (const next of heard) {
          const before = known
          known = newerTask(known, next)
          if (isFinal(before)) expect(known.status).toBe(before.status)
          else if (!isFinal(known)) expect(known.lastUpdatedAt ?? 9).toBeGreaterThanOrEqual(before.lastUpdatedAt ?? 0)
        }
        expect(isFinal(known)).toBe(heard.some(isFinal))
      }),
    )
  })

  it('follows what was heard later, and what has no time (TASK-8)', () => {
    const asks = task('input_required', 6)
    expect(newerTask(task('working', 5), asks)).toBe(asks)
    expect(newerTask(asks, task('working', 6)).status).toBe('working')
    expect(newerTask(asks, task('working')).status).toBe('working')
    expect(newerTask(asks, task('working', 5))).toBe(asks)
  })

  it('gets its result from a later answer with the same final status (TASK-8)', () => {
    const result = { content: [] }
    expect(newerTask(task('completed', 5), { ...task('completed', 5), result })).toMatchObject({ result })
    expect(newerTask(task('completed', 5), { ...task('failed', 6), result })).toEqual(task('completed', 5))
  })

  it('prefers an older final status to a newer one that is not final (TASK-8)', () => {
    expect(newerTask(task('working', 5), task('completed', 1)).status).toBe('completed')
    expect(newerTask(task('completed', 1), task('working', 5)).status).toBe('completed')
  })
})

describe('tasks known before the answer that creates them', () => {
  it('are kept for half a minute, at most sixty-four (TASK-8)', () => {
    const clock = new ManualClock()
    const early = new EarlyTasks(clock)
    for (let n = 0; n < 100; n++) early.keep(task('working', n, `k${n}`))
    expect(early.size).toBe(64)
    expect(early.take('k0')).toBeUndefined()
    expect(early.take('k99')).toMatchObject({ taskId: 'k99' })
    expect(early.take('k99')).toBeUndefined()
    clock.advance(30_000)
    expect(early.take('k98')).toMatchObject({ taskId: 'k98' })
    clock.advance(1)
    expect(early.take('k97')).toBeUndefined()
  })

  it('are kept once each, in their newest state (TASK-8)', () => {
    const early = new EarlyTasks(new ManualClock())
    for (const heard of [task('working', 1), task('completed', 3), task('working', 2)]) early.keep(heard)
    expect(early.size).toBe(1)
    expect(early.take('k')).toEqual(task('completed', 3))
  })
})
