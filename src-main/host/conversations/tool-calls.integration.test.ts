import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

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
  if (id === undefined) continue
  const answer = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: 'Method not found' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
`

/** Starts a second server, with consent to its start. */
async function addOther(chat: ChatHost): Promise<ServerId> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-server-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'server.mjs')
  await writeFile(script, SERVER)
  const launch = { type: 'local', command: process.execPath, args: [script], env: {} } as const
  const adding = chat.host.servers.edits.add({ name: 'other', launch })
  const trust = await until(
    () => chat.host.state.snapshot.interactions.find((one) => one.kind === 'server-trust'),
    'the question',
  )
  chat.host.interactions.answer({ id: trust.id, kind: 'server-trust', answer: { decision: 'allow' } })
  const { serverId } = await adding
  await until(() => chat.host.servers.tools.all().length === 2, 'both tools')
  return serverId
}

describe('tools of several servers', () => {
  it('see nothing of each other’s results unless the person allows the call that passes it on (ARCH-05)', async () => {
    const chat = await chatHost({
      replies: [
        [{ call: 'playground__echo', args: { text: 'CANARY' } }],
        [{ call: 'other__echo', args: { text: 'it said CANARY' } }],
      ],
    })
    const other = await addOther(chat)
    const id = await chat.say('go')
    await chat.answer('always')
    const question = await until(
      () => chat.host.state.snapshot.interactions.find((one) => one.kind === 'tool-consent' && one.about.serverId === other),
      'the question about the second call',
    )
    expect(JSON.stringify(question)).toContain('it said CANARY')
    expect(JSON.stringify(chat.host.servers.configured.get(other).traffic.read(undefined))).not.toContain('CANARY')
    await chat.answer('deny')
    await chat.idle(id)
    expect(JSON.stringify(chat.host.servers.configured.get(other).traffic.read(undefined))).not.toContain('CANARY')
  })

  it('are all callable under the same name, and each call reaches its own server alone (ARCH-08, TOOL-30, ARCH-03)', async () => {
    const chat = await chatHost({
      replies: [
        [
          { call: 'playground__echo', args: { text: 'mine' } },
          { call: 'other__echo', args: { text: 'yours' } },
        ],
      ],
    })
    await addOther(chat)
    const id = await chat.say('go')
    const { question } = await chat.question()
    expect(question.calls.map(({ serverName }) => serverName).sort()).toEqual(['Playground', 'other'])
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([{ name: 'echo', arguments: { text: 'mine' } }])
    expect(chat.model.told('call-1')).toContain('echo {"text":"mine"}')
    expect(chat.model.told('call-2')).toContain('other says {"text":"yours"}')
    expect([(await chat.call(id, 0)).serverId, (await chat.call(id, 1)).serverId]).toEqual(['playground', 'other'])
    expect(JSON.stringify(chat.server.received)).not.toContain('yours')
  })

  it('see nothing of another server’s log, nor does the model (LOG-11)', async () => {
    const chat = await chatHost({ replies: [[{ call: 'playground__echo', args: { text: 'hi' } }], ['I see.']] })
    const other = await addOther(chat)
    chat.server.notify('notifications/message', { level: 'error', data: 'CANARY of the first' })
    const log = async () => {
      const topic = await chat.host.topics.follow(`server/${PLAYGROUND_ID}`, () => {})
      topic?.stop()
      return JSON.stringify(topic?.value)
    }
    await until(async () => (await log()).includes('CANARY'), 'the line in the log')
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    expect(JSON.stringify(chat.model.requests)).not.toContain('CANARY')
    expect(JSON.stringify(chat.host.servers.configured.get(other).traffic.read(undefined))).not.toContain('CANARY')
  })
})
