import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, question, returnOn, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { small } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const text = (said: string) => ({ type: 'text', text: said })

describe('a request from a server', () => {
  it('gives the server nothing of the conversation, other servers, keys or tokens (SEC-04, SEC-05, SEC-25)', async () => {
    const top = await realpath(await mkdtemp(join(tmpdir(), 'canary-folder-')))
    onTestFinished(() => rm(top, { recursive: true, force: true }))
    const chat = await chatHost({
      replies: [
        ['canary-reply of the model'],
        ({ tools }) => [{ call: tools.find(({ description }) => description.startsWith('[Playground]'))?.name ?? '', args: {} }],
        ['sampled'],
      ],
      onCall: () => new Promise(() => {}),
    })
    const { host } = chat
    await host.providers.add({ kind: 'anthropic', name: 'canary-provider', baseUrl: 'http://127.0.0.1:9' }, 'sk-canary-key')
    const env = { TOKEN: { text: 'canary-token' } }
    await host.servers.edits.add({ name: 'other', launch: small('ok.mjs', ['canary-argument'], env) })
    await answer(host, 'server-trust', { decision: 'allow' })
    const other = 'other' as ServerId
    await until(() => host.servers.configured.find(other)?.record.state.is === 'ready', 'the other server')
    await host.features.roots.set(other, [{ path: top }])
    const id = await chat.say('canary-question of the person')
    await chat.idle(id)
    await host.conversations.open(id, (one) => one.send('canary-wish'))
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')

    const sampled = chat.server.ask(
      'sampling/createMessage',
      { messages: [{ role: 'user', content: text('Hi') }], maxTokens: 10, includeContext: 'allServers' },
      1,
    )
    expect((await question(host, 'sampling-request')).question.context.offers.length).toBeGreaterThan(0)
    await sendOn(host)
    await returnOn(host)
    expect((await sampled).result).toMatchObject({ content: text('sampled') })
    const requestedSchema = { type: 'object', properties: { token: { type: 'string' }, name: { type: 'string' } } }
    const asked = chat.server.ask('elicitation/create', { message: 'Who?', requestedSchema }, 2)
    await answer(host, 'elicitation-form', { action: 'decline' })
    await asked
    const roots = chat.server.ask('roots/list', undefined, 3)
    await answer(host, 'roots-request', { decision: 'decline' })
    expect((await roots).result).toEqual({ roots: [] })
    expect(JSON.stringify(chat.server.received)).not.toContain('canary')
    await host.conversations.open(id, (one) => one.cancel())
  })

  it('leaves nothing after the server is removed: folders and budgets are asked for again (SEC-02)', async () => {
    const chat = await chatHost()
    const { host } = chat
    const config = { name: 'gone', launch: small('ok.mjs') }
    await host.servers.edits.add(config)
    await answer(host, 'server-trust', { decision: 'allow' })
    const id = 'gone' as ServerId
    await until(() => host.servers.configured.find(id)?.record.state.is === 'ready', 'the server')
    await host.features.roots.set(id, [])
    await host.features.samplingPolicy.count(id, { requests: 1, tokens: 5 })
    expect(host.servers.configured.find(id)?.record).toMatchObject({ folders: [], sampled: { requests: 1, tokens: 5 } })
    await host.servers.edits.remove(id)
    await until(async () => (await chat.storage.records.all('sampling-used')).size === 0, 'the count to be forgotten')
    await until(async () => (await chat.storage.records.all('server-folders')).size === 0, 'the folders to be forgotten')
    await host.servers.edits.add(config)
    await answer(host, 'server-trust', { decision: 'allow' })
    await until(() => host.servers.configured.find(id)?.record.state.is === 'ready', 'the server again')
    expect(host.servers.configured.find(id)?.record).not.toHaveProperty('folders')
    expect(host.servers.configured.find(id)?.record).not.toHaveProperty('sampled')
  })

  it('is refused while the server is muted, and allowed again afterwards (SEC-24)', async () => {
    const chat = await chatHost()
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { muted: true })
    const form = { message: 'x', requestedSchema: { type: 'object', properties: {} } }
    expect((await chat.server.ask('elicitation/create', form, 1)).error?.message).toBe('This server is muted')
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { muted: false })
    const asked = chat.server.ask('elicitation/create', form, 2)
    await answer(chat.host, 'elicitation-form', { action: 'cancel' })
    expect((await asked).result).toEqual({ action: 'cancel' })
  })

  it('is handled in one module per feature, which only host-features.ts imports (ELIC-34)', () => {
    const importers = (module: string) =>
      readdirSync(import.meta.dirname).filter(
        (file) => !/\.test\.ts$/.test(file) && readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'./${module}.ts'`),
      )
    for (const module of ['elicitation', 'sampling', 'server-roots']) {
      expect(importers(module)).toEqual(['host-features.ts'])
    }
  })
})
