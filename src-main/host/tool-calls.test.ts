import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatHost } from '../../e2e/support/chat-host.ts'
import { until } from '../../e2e/support/until.ts'

/** A server of its own process: offers `echo` and says which server answered. */
const SERVER = `
import { createInterface } from 'node:readline'
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'other', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: 'other says ' + JSON.stringify(args) }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined && answers[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }))
}
`

describe('tools of several servers', () => {
  it('are all callable under the same name, and each call reaches its own server alone (ARCH-08, TOOL-30, ARCH-03)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-server-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const script = join(folder, 'server.mjs')
    await writeFile(script, SERVER)
    const chat = await chatHost({
      replies: [
        [
          { call: 'playground__echo', args: { text: 'mine' } },
          { call: 'other__echo', args: { text: 'yours' } },
        ],
      ],
    })
    const adding = chat.host.servers.add({
      name: 'other',
      launch: { type: 'local', command: process.execPath, args: [script], env: {} },
    })
    const trust = await until(
      () => chat.host.state.snapshot.interactions.find((one) => one.kind === 'server-trust'),
      'the question',
    )
    chat.host.interactions.answer({ id: trust.id, kind: 'server-trust', answer: { decision: 'allow' } })
    await adding
    await until(() => chat.host.servers.tools().length === 2, 'both tools')

    const id = await chat.say('go')
    await chat.question(1)
    const asked = chat.host.state.snapshot.interactions.map(({ about }) => about.serverName)
    expect(asked.sort()).toEqual(['Playground', 'other'])
    await chat.answer('once')
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([{ name: 'echo', arguments: { text: 'mine' } }])
    expect(chat.model.told('call-1')).toContain('echo {"text":"mine"}')
    expect(chat.model.told('call-2')).toContain('other says {"text":"yours"}')
    expect([(await chat.call(id, 0)).serverId, (await chat.call(id, 1)).serverId]).toEqual(['playground', 'other'])
    expect(JSON.stringify(chat.server.received)).not.toContain('yours')
  }, 20_000)
})
