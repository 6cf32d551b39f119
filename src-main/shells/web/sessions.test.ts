import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { Sessions } from './sessions.ts'

describe('sessions of the web shell', () => {
  it('gives one session for one token, once', () => {
    const sessions = new Sessions(new ManualClock())
    const token = sessions.issue()
    const session = sessions.exchange(token)
    expect(session && sessions.has(session)).toBe(true)
    expect(sessions.exchange(token)).toBeUndefined()
  })

  it('takes no token after ten minutes, and takes it just before', () => {
    const clock = new ManualClock()
    const sessions = new Sessions(clock)
    const [early, late] = [sessions.issue(), sessions.issue()]
    clock.advance(10 * 60_000 - 1)
    expect(sessions.exchange(early)).toBeDefined()
    clock.advance(1)
    expect(sessions.exchange(late)).toBeUndefined()
  })

  it('knows no session that it did not give', () => {
    const sessions = new Sessions(new ManualClock())
    const token = sessions.issue()
    expect(sessions.has(token)).toBe(false)
    expect(sessions.has('')).toBe(false)
  })

  it('keeps the newest links when someone asks for very many', () => {
    const sessions = new Sessions(new ManualClock())
    const tokens = Array.from({ length: 20 }, () => sessions.issue())
    expect(sessions.exchange(tokens[0] as string)).toBeUndefined()
    expect(sessions.exchange(tokens[19] as string)).toBeDefined()
  })
})
