import { describe, expect, it } from 'vitest'
import { connectScripted } from '../../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const KEY = 'io.modelcontextprotocol/serverInfo'
const named = (name: string) => ({ [KEY]: { name, version: '1' } })
const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  _meta: named('First'),
}

describe('the name that a server of 2026-07-28 gives itself', () => {
  it('is shown as last sent, and decides nothing (V26-META-8, V26-META-9)', async () => {
    let name = 'First'
    const chat = await chatHost({
      replies: [[{ call: 'echo', args: { text: 'a' } }], ['Done.'], [{ call: 'echo', args: { text: 'a' } }]],
      answers: {
        'server/discover': () => discovery,
        // A stale list would be read again, and the name shown with it.
        'tools/list': () => ({ resultType: 'complete', tools: [ECHO], ttlMs: 3_600_000, cacheScope: 'private' }),
      },
      onCall: () => ({ resultType: 'complete', content: [], _meta: named(name) }),
    })
    const record = () => chat.host.state.snapshot.servers[PLAYGROUND_ID]
    const first = record()
    expect(first?.hello?.serverInfo?.name).toBe('First')
    name = 'Second'
    const id = await chat.say('go')
    await chat.answer('conversation')
    await chat.idle(id)
    await until(() => record()?.hello?.serverInfo?.name === 'Second', 'the new name')
    expect(record()).toMatchObject({ name: first?.name, launchIdentity: first?.launchIdentity })
    await chat.host.conversations.open(id, (one) => one.send('again'))
    await chat.idle(id)
    // The rule that was made before still holds: nobody was asked.
    expect(chat.calls).toHaveLength(2)
  })

  it('is updated at most once a second, however often it changes (V26-META-9)', async () => {
    let names = 0
    await using session = await connectScripted({
      modern: true,
      capabilities: { tools: {} },
      replies: { 'tools/call': () => ({ content: [], _meta: named(`Name ${names++}`) }) },
    })
    const { client, clock, options } = session
    let told = 0
    client.catalog.onChange.on(() => told++)
    for (let call = 0; call < 20; call++) await client.callTool('a', {}, options)
    expect(told).toBe(0)
    clock.advance(1_000)
    expect(told).toBe(1)
    expect(client.hello.serverInfo?.name).toBe('Name 19')
  })

  it.each([5, null, {}, { name: 'x' }, { name: {}, version: '1' }])(
    'stays when the new one is invalid: %j (V26-META-7)',
    async (info) => {
      await using session = await connectScripted({
        modern: true,
        capabilities: { tools: {} },
        replies: { 'tools/call': () => ({ content: [], _meta: { [KEY]: info } }) },
      })
      const before = session.client.hello
      await session.client.callTool('a', {}, session.options)
      expect(session.client.hello).toBe(before)
    },
  )
})
