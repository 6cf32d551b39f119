import { describe, expect, it, vi } from 'vitest'
import { backOff, exchangeToken, takeToken } from './web-connector.ts'

/** As much of a window as taking the token needs. */
function pageAt(hash: string) {
  const replaced: string[] = []
  const page = {
    location: { hash, pathname: '/', search: '' },
    history: { replaceState: (_state: unknown, _title: string, url: string) => replaced.push(url) },
  }
  return { page: page as unknown as Window, replaced }
}

describe('the token in the address', () => {
  it('is removed at once', () => {
    const { page, replaced } = pageAt('#t=abc-DEF_123')
    expect(takeToken(page)).toBe('abc-DEF_123')
    expect(replaced).toEqual(['/'])
  })

  it('is not confused with a route', () => {
    const { page, replaced } = pageAt('#/servers/t=1')
    expect(takeToken(page)).toBeUndefined()
    expect(replaced).toEqual([])
  })
})

describe('a link', () => {
  /** A tab: what it keeps outlives its page. */
  function tab(fetch: (path: string, request: { body: string }) => Promise<{ ok: boolean }>) {
    const kept = new Map<string, string>()
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
    const open = (hash: string) => ({ ...pageAt(hash).page, crypto, btoa, sessionStorage, fetch }) as unknown as Window
    return { kept, open }
  }

  it('is used by the next load where a page was reloaded before the answer', async () => {
    const asked: unknown[] = []
    const fetch = vi.fn(async (_path: string, { body }: { body: string }) => {
      asked.push(JSON.parse(body))
      if (asked.length === 1) throw new TypeError('the page went away')
      return { ok: true }
    })
    const { kept, open } = tab(fetch)
    await expect(exchangeToken(open('#t=abc'))).rejects.toThrow()
    await exchangeToken(open(''))
    expect(asked).toEqual([{ token: 'abc', secret: expect.stringMatching(/^[\w-]{43}$/) }, asked[0]])
    expect([...kept.values()]).toEqual([(asked[0] as { secret: string }).secret])
    await exchangeToken(open(''))
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('leaves no session when the host refuses it', async () => {
    const { kept, open } = tab(async () => ({ ok: false }))
    await exchangeToken(open('#t=abc'))
    expect(kept.size).toBe(0)
  })
})

describe('the delay before a reconnection', () => {
  it('doubles up to ten seconds and spreads by up to a quarter', () => {
    expect([0, 1, 2, 3, 12].map((attempt) => backOff(attempt, 0))).toEqual([250, 500, 1000, 2000, 10_000])
    expect(backOff(12, 1)).toBe(7500)
  })
})
