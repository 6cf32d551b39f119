import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlIsReadable } from '../src-main/consent/read-sql.ts'
import { questionsAt, replayAttacks } from './consent/questions.ts'

beforeAll(() => sqlIsReadable)

const KEPT = new URL('consent/attacks/questions.md', import.meta.url)

describe('published attacks', () => {
  it.each(['denies', 'was taken in'] as const)('run no act unasked where the person %s before', (person) => {
    const attacks = replayAttacks(person)
    for (const { task, acts } of attacks) {
      expect(task.source?.address, task.file).toMatch(/^https:/)
      expect(acts, task.file).not.toEqual([])
      for (const { outcome } of acts) expect(outcome.verdict.is, `${task.file}: ${outcome.call.unsafe}`).not.toBe('allow')
    }
  })

  it('are asked about in these words (npm run consent -- --attacks writes them again)', () => {
    expect(questionsAt(replayAttacks('was taken in'))).toBe(readFileSync(KEPT, 'utf8'))
  })

  it('mostly come after rules that the person gave in the same task', () => {
    const after = replayAttacks('denies').filter(({ acts }) => acts.some(({ before }) => before.some(({ offered }) => offered)))
    expect(after.length).toBeGreaterThan(15)
  })
})
