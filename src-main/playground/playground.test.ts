import { describe, expect, it } from 'vitest'
import { checkValue } from '../../e2e/support/check-value.ts'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { connectClient } from '../client/connect-client.ts'
import type { EraFound } from '../protocol/era.ts'
import { playgroundTransport } from './playground.ts'

const signal = new AbortController().signal

/** A client of the Playground that accepts every question. */
async function connect(known?: EraFound) {
  const lifetime = new Lifetime('test')
  const clock = new ManualClock()
  const client = await connectClient({
    open: () => playgroundTransport(clock),
    features: {
      roots: { list: async () => ({ roots: [{ uri: 'file:///shared', name: 'Shared' }] }) },
      elicitation: { url: true, elicit: async () => ({ action: 'accept', content: { name: 'Ada' } }) },
      sampling: {
        tools: true,
        context: true,
        createMessage: async () => ({ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' }),
      },
    },
    known,
    clientInfo: { name: 'parley', version: '1' },
    checkValue,
    lifetime,
    signal: lifetime.signal,
    clock,
    requestTimeout: 60_000,
    maxRequestTime: 60_000,
    pingEvery: 0,
  })
  await client.catalog.load(signal)
  const call = async (name: string, args = {}) => {
    const [block] = (await client.callTool(name, args, { signal })).content
    return block?.type === 'text' ? block.text : block?.type
  }
  return { client, call, [Symbol.asyncDispose]: () => lifetime.end() }
}

describe.each([
  ['2026-07-28', undefined],
  ['2025-11-25', { era: 'legacy', by: 'choice' }],
] as const)('the Playground in %s', (version, known) => {
  it('lists its tools, calls them, and asks back (V26-STDIO-12)', async () => {
    await using playground = await connect(known)
    expect(playground.client.hello).toMatchObject({ protocolVersion: version, serverInfo: { title: 'Playground' } })
    expect(playground.client.catalog.value.tools.length).toBeGreaterThan(9)
    expect(await playground.call('add', { a: 2, b: 3 })).toBe('2 + 3 = 5')
    expect(await playground.call('ask-form')).toBe('You sent {"name":"Ada"}.')
    expect(await playground.call('ask-model')).toBe('m said: Hi')
    expect(await playground.call('list-folders')).toBe('Shared: file:///shared')
    expect(await playground.call('ask-visit')).toBe('You opened it.')
  })
})
