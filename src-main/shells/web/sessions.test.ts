import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { Sessions } from './sessions.ts'

const secret = () => randomBytes(32).toString('base64url')

describe('the sessions of the web shell', () => {
  it('include one session for one token, once', () => {
    const sessions = new Sessions(new ManualClock())
    const token = sessions.issue()
    const own = secret()
    expect(sessions.exchange(token, own)).toBe(true)
    expect(sessions.has(own)).toBe(true)
    const other = secret()
    expect(sessions.exchange(token, other)).toBe(false)
    expect(sessions.has(other)).toBe(false)
  })

  it('are given again to a page that never got its own', () => {
    const sessions = new Sessions(new ManualClock())
    const [token, own] = [sessions.issue(), secret()]
    sessions.exchange(token, own)
    expect(sessions.exchange(token, own)).toBe(true)
  })

  it('accept no secret that could be guessed, and keep the token for one that cannot', () => {
    const sessions = new Sessions(new ManualClock())
    const token = sessions.issue()
    for (const weak of ['', 'a', secret().slice(1), `${secret()}a`]) expect(sessions.exchange(token, weak)).toBe(false)
    expect(sessions.exchange(token, secret())).toBe(true)
  })

  it('accept no token after ten minutes, and accept it just before', () => {
    const clock = new ManualClock()
    const sessions = new Sessions(clock)
    const [early, late] = [sessions.issue(), sessions.issue()]
    clock.advance(10 * 60_000 - 1)
    expect(sessions.exchange(early, secret())).toBe(true)
    clock.advance(1)
    expect(sessions.exchange(late, secret())).toBe(false)
  })

  it('include no session that was not given', () => {
    const sessions = new Sessions(new ManualClock())
    const token = sessions.issue()
    expect(sessions.has(token)).toBe(false)
    expect(sessions.has('')).toBe(false)
  })

  it('keep the newest links when someone requests very many', () => {
    const sessions = new Sessions(new ManualClock())
    const tokens = Array.from({ length: 20 }, () => sessions.issue())
    expect(sessions.exchange(tokens[0] as string, secret())).toBe(false)
    expect(sessions.exchange(tokens[19] as string, secret())).toBe(true)
  })
})
