import { describe, expect, it } from 'vitest'
import { chatHost } from '../../e2e/test-hosts/chat-host.ts'
import { REQUEST_HANDLERS } from './request-handlers.ts'

describe('requests about the ledger', () => {
  it('return a page of fifty, the whole as lines, and whether the chain is unbroken', async () => {
    const { host, storage } = await chatHost()
    const { signal } = new AbortController()
    for (let at = 1; at <= 51; at++) {
      await storage.ledger.add({
        ...{ at, serverId: 'mail', tool: at === 7 ? 'send' : 'list', argumentsHash: 'ab' },
        ...({ decision: 'free', outcome: 'finished' } as const),
      })
    }
    const page = await REQUEST_HANDLERS['ledger.page'](host, {}, signal)
    expect(page.items).toHaveLength(50)
    expect(page).toMatchObject({ total: 51, next: 2 })
    expect((await REQUEST_HANDLERS['ledger.page'](host, { before: 2 }, signal)).items).toMatchObject([{ number: 1 }])
    expect((await REQUEST_HANDLERS['ledger.page'](host, { search: 'send' }, signal)).items).toMatchObject([{ number: 7 }])
    const { text, next } = await REQUEST_HANDLERS['ledger.export'](host, { after: 49 }, signal)
    expect(text.match(/"number":\d+/g)).toEqual(['"number":50', '"number":51'])
    expect(next).toBeUndefined()
    expect(await REQUEST_HANDLERS['ledger.check'](host, { after: 0 }, signal)).toMatchObject({ entries: 51 })
  })
})
