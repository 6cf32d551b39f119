import { describe, expect, it } from 'vitest'
import { backOff, takeToken } from './web-connector.ts'

/** As much of a window as taking the token needs. */
function pageAt(hash: string) {
  const replaced: string[] = []
  const page = {
    location: { hash, pathname: '/', search: '' },
    history: { replaceState: (_state: unknown, _title: string, url: string) => replaced.push(url) },
  }
  return { page: page as unknown as Window, replaced }
}

describe('takeToken', () => {
  it('takes the token out of the address at once', () => {
    const { page, replaced } = pageAt('#t=abc-DEF_123')
    expect(takeToken(page)).toBe('abc-DEF_123')
    expect(replaced).toEqual(['/'])
  })

  it('leaves a route alone', () => {
    const { page, replaced } = pageAt('#/servers/t=1')
    expect(takeToken(page)).toBeUndefined()
    expect(replaced).toEqual([])
  })
})

describe('backOff', () => {
  it('doubles up to ten seconds and spreads by up to a quarter', () => {
    expect([0, 1, 2, 3, 12].map((attempt) => backOff(attempt, 0))).toEqual([250, 500, 1000, 2000, 10_000])
    expect(backOff(12, 1)).toBe(7500)
  })
})
