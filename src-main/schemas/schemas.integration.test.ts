import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { turnsWhile } from '../../e2e/support/turns-while.ts'
import { until } from '../../e2e/support/until.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { SCHEMA_JOB_TIME, Schemas } from './schemas.ts'

function start(clock = new ManualClock()) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const { check } = new Schemas({ clock, lifetime })
  return { check, clock, lifetime }
}

/** Two ways down at each of its levels, both of which fail at the bottom: 2^levels steps in a few bytes. */
function doubling(levels: number): object {
  const below = (level: number) => ({ anyOf: [{ $ref: `#/$defs/d${level}` }, { $ref: `#/$defs/d${level}` }] })
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, level) => [`d${level}`, below(level + 1)]))
  return { type: 'object', properties: { a: below(0) }, $defs: { ...$defs, [`d${levels}`]: { type: 'null' } } }
}

const SLOW = { is: 'unchecked', reason: 'it takes too long.' }
const N = { type: 'object', properties: { n: { type: 'integer' } } }

describe('a schema that takes too long (TOOL-18)', () => {
  it('is given up with its thread, while everything else continues, and is not retried (V26-SCHEMA-3)', async () => {
    const { check, clock } = start()
    expect(await check(N, { n: 1 })).toEqual({ is: 'valid' })
    let verdict: unknown
    void check(doubling(40), { a: 1 }).then((said) => {
      verdict = said
    })
    // The thread is busy with it; this one is free and drives the clock.
    await until(() => {
      clock.advance(SCHEMA_JOB_TIME)
      return verdict
    }, 'the schema to be given up')
    expect(verdict).toEqual(SLOW)
    expect(await check(N, { n: 'x' })).toMatchObject({ is: 'invalid' })
    expect(await check(doubling(2), { a: 1 })).toMatchObject({ is: 'invalid' })
    expect(await check(doubling(40), { a: 2 })).toEqual(SLOW)
  })

  it('cannot use unlimited memory', async () => {
    const { check } = start()
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`p${n}`, doubling(1)])),
    }
    expect((await check(wide, {})).is).toMatch(/^(valid|unchecked)$/)
    expect(await check(N, { n: 1 })).toEqual({ is: 'valid' })
  })

  it('leaves a verdict and a working checker, whatever it is', { timeout: 120_000 }, async () => {
    const lifetime = new Lifetime('test')
    onTestFinished(() => lifetime.end())
    const { check } = new Schemas({ clock: hurried, lifetime })
    const leaf = fc.constantFrom<object>(
      { type: 'null' },
      { $ref: '#' },
      { $ref: '#/$defs/a' },
      { $ref: '#/$defs/b' },
      { uniqueItems: true },
      { pattern: '(a*)*$' },
    )
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie('node') }),
        fc.record({ items: tie('node') }),
        fc.record({ additionalProperties: tie('node') }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(node, node, node, fc.jsonValue({ maxDepth: 4 }), async (root, a, b, value) => {
        const verdict = await check({ ...(root as object), $defs: { a, b } }, value)
        expect(['valid', 'invalid', 'unchecked']).toContain(verdict.is)
      }),
      { numRuns: process.env.PARLEY_LONG === '1' ? 300 : 25 },
    )
    expect(await check(N, { n: 1 })).toEqual({ is: 'valid' })
  })
})

/** Real time, three times as fast: what hangs is given up after a second. */
const hurried = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 3, run) }

describe('schemas', () => {
  it('are not checked when they or the values are too large (V26-SCHEMA-3)', async () => {
    const { check } = start()
    expect(await check({ type: 'object', description: 'x'.repeat(600_000) }, {})).toMatchObject({ is: 'unchecked' })
    expect(await check(N, { n: 'x'.repeat(9_000_000) })).toMatchObject({ is: 'unchecked' })
  })

  it('let other work run while a large value is prepared', async () => {
    const { check } = start()
    let verdict: unknown
    const turns = await turnsWhile(async () => {
      verdict = await check(
        N,
        Array.from({ length: 200_000 }, (_, n) => ({ n, name: `the row of number ${n}` })),
      )
    })
    expect(verdict).toMatchObject({ is: 'unchecked', reason: 'the value is too large to check.' })
    expect(turns).toBeGreaterThan(50)
  })

  it('are compiled again once the thread has dropped the first of many', async () => {
    const { check } = start()
    const schema = (n: number) => ({ type: 'object', properties: { n: { $ref: '#/$defs/n' } }, $defs: { n: { const: n } } })
    for (let n = 0; n < 102; n++) expect(await check(schema(n), { n })).toEqual({ is: 'valid' })
    expect(await check(schema(0), { n: 1 })).toMatchObject({ is: 'invalid' })
  })

  it('check nothing once the host has ended', async () => {
    const { check, lifetime } = start()
    await lifetime.end()
    expect(await check(doubling(2), { n: 1 })).toEqual({ is: 'unchecked', reason: 'Parley is closing.' })
  })
})
