import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Border, ShapeError } from './shapes/border.ts'
import { DEFAULT_LIMITS, LimitError } from './shapes/limits.ts'
import { traitsOf } from './shapes/version-traits.ts'
import { createdTask, extensionTask, relatedTask, task } from './task.ts'

const border = (version: '2025-11-25' | '2026-07-28'): Border => ({
  traits: traitsOf(version, false),
  limits: DEFAULT_LIMITS,
  warnings: [],
})
const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled', 'WORKING', '__proto__']

describe('a task from a server', () => {
  it('gives its times in its revision’s terms', () => {
    const both = {
      taskId: 'k',
      status: 'working',
      lastUpdatedAt: '2026-11-22T08:00:00Z',
      ttl: 5,
      pollInterval: 6,
      ttlMs: 7,
      pollIntervalMs: 8,
    }
    expect(task(both, border('2025-11-25'))).toMatchObject({ ttl: 5, pollInterval: 6 })
    expect(task(both, border('2026-07-28'))).toMatchObject({ ttl: 7, pollInterval: 8 })
    expect(task({ ...both, ttl: null }, border('2025-11-25'))).not.toHaveProperty('ttl')
  })

  it('has its message on one line, whatever breaks and controls are in it (TASK-15)', () => {
    const statusMessage = ' half\r\nway\u2028to\u0007the\u0085end\t'
    expect(task({ taskId: 'k', status: 'working', statusMessage }, border('2025-11-25')).statusMessage).toBe(
      'half way to the end',
    )
  })

  it('is usable or refused, whatever it contains, and its message is one short line (TASK-15)', async () => {
    const wild = fc.record(
      {
        taskId: fc.anything(),
        status: fc.oneof(fc.constantFrom(...STATUSES), fc.anything()),
        statusMessage: fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.anything()),
        lastUpdatedAt: fc.anything(),
        ttl: fc.anything(),
        pollIntervalMs: fc.anything(),
        inputRequests: fc.anything(),
        result: fc.anything(),
        error: fc.anything(),
        _meta: fc.anything(),
        task: fc.anything(),
      },
      { requiredKeys: [] },
    )
    const named = wild.map((fields) => ({ ...fields, taskId: 'k' }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(wild, named), async (fields) => {
        relatedTask(fields)
        for (const read of [task, createdTask, extensionTask]) {
          for (const version of ['2025-11-25', '2026-07-28'] as const) {
            try {
              const { statusMessage = '' } = await read(fields, border(version))
              expect(statusMessage.length).toBeLessThanOrEqual(512)
              expect(statusMessage).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
            } catch (error) {
              if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
            }
          }
        }
      }),
    )
  })
})
