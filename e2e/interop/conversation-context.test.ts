import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { enterPrompt } from '../../src-main/host/conversations/prompt-messages.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { resourceTopic } from '../../src-shared/contract/topics.ts'
import { until } from '../support/until.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

const peers = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/', import.meta.url))
const { signal } = new AbortController()

const launch = (name: string, arg: string) => ({
  type: 'local' as const,
  command: process.execPath,
  args: [`${peers}${name}/dist/index.js`, arg],
  env: {},
})

describe('the host with server-everything', () => {
  let data: string
  let opened: ServerHost
  let server: ServerId
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'parley-context-'))
    opened = await ServerHost.start(data)
    server = await opened.ready('server-everything', launch('server-everything', 'stdio'))
  })
  afterAll(async () => {
    await opened.end()
    await rm(data, { recursive: true, force: true })
  })

  it('lists and reads resources, text and bytes, and attaches one from a template (RES-02, RES-05, RES-06)', async () => {
    const { offerings, servers, conversations } = opened.host
    expect(servers.catalogs.resources(server, {}).total).toBeGreaterThan(0)
    const templates = servers.catalogs.templates(server, {}).items.map(({ uriTemplate }) => uriTemplate)
    const text = templates.find((template) => template.includes('text')) ?? ''
    const blob = templates.find((template) => template.includes('blob')) ?? ''
    const [variable = ''] = offerings.resources.variables(server, text).variables
    const { uri } = offerings.resources.expand(server, text, { [variable]: '3' })
    expect(await offerings.resources.read(server, uri, signal)).toMatchObject({
      is: 'read',
      resource: { items: [{ uri, content: { text: expect.stringContaining('3') } }] },
    })
    const bytes = offerings.resources.expand(server, blob, { [variable]: '4' })
    expect(await offerings.resources.read(server, bytes.uri, signal)).toMatchObject({
      resource: { items: [{ content: { blob: expect.stringMatching(/^[0-9a-f]{64}$/) } }] },
    })
    const { id } = await conversations.create()
    await conversations.open(id, (one) => one.attachments.attach(server, uri, signal))
    await conversations.open(id, (one) => one.send('What is this?'))
    await until(async () => (await opened.storage.messages.latestTurn(id))?.status === 'finished', 'the answer')
    const [said] = (await opened.storage.conversations.open(id, 10))?.messages ?? []
    expect(said?.parts).toMatchObject([{ type: 'text' }, { type: 'resource', uri, subscribed: true }])
  })

  it('subscribes while a resource is on screen, gets its updates, and unsubscribes after (RES-08, RES-09, RES-10)', async () => {
    const [resource] = opened.host.servers.catalogs.resources(server, {}).items
    const seen: unknown[] = []
    const topic = resourceTopic(server, resource?.uri ?? '')
    const followed = await opened.host.topics.follow(topic, (_seq, event) => seen.push(event))
    expect(followed?.value).toEqual({ kind: 'resource', subscribed: true })
    await opened.call(server, 'toggle-subscriber-updates')
    await until(() => seen.length > 0, 'an update')
    expect(seen[0]).toMatchObject({ type: 'resource.changed', subscribed: true, updatedAt: expect.any(Number) })
    followed?.stop()
    const sent = () =>
      opened.host.servers.configured
        .get(server)
        .traffic.read(undefined)
        .entries.map(({ method }) => method)
    await until(() => sent().includes('resources/unsubscribe'), 'the end of the subscription')
  })

  it('completes arguments by earlier ones, previews the prompt and inserts it (COMP-05, PROMPT-05, PROMPT-14)', async () => {
    const { offerings, conversations } = opened.host
    const of = { type: 'prompt', name: 'completable-prompt' } as const
    const departments = await offerings.completion.complete(
      { serverId: server, of, argument: { name: 'department', value: 'S' } },
      signal,
    )
    expect(departments.values).toContain('Sales')
    const names = await offerings.completion.complete(
      { serverId: server, of, argument: { name: 'name', value: '' }, context: { department: 'Sales' } },
      signal,
    )
    expect(names.values.length).toBeGreaterThan(0)
    const args = { department: 'Sales', name: names.values[0] ?? '' }
    const preview = await offerings.prompts.get(server, of.name, args, signal)
    expect(preview.messages[0]).toMatchObject({ role: 'user', content: { type: 'text', text: expect.stringContaining('Sales') } })
    const { id } = await conversations.create()
    await conversations.open(id, (one) => enterPrompt(one, preview.preview, false))
    expect((await opened.storage.conversations.open(id, 10))?.messages[0]?.origin).toMatchObject({ prompt: of.name })
  })
})

describe('the host with server-filesystem', () => {
  it('has no resources, prompts or completions to offer and requests none (RES-01, PROMPT-01)', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'big.txt'), 'word '.repeat(20_000))
    const opened = await ServerHost.open()
    const server = await opened.ready('server-filesystem', launch('server-filesystem', folder))
    const { offerings, conversations } = opened.host
    await expect(offerings.resources.read(server, 'file:///etc/hosts', signal)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(offerings.prompts.get(server, 'any', {}, signal)).rejects.toMatchObject({ code: 'not-found' })
    const sent = opened.host.servers.configured
      .get(server)
      .traffic.read(undefined)
      .entries.map(({ method }) => method ?? '')
    expect(sent.filter((method) => /^(resources|prompts)\//.test(method))).toEqual([])
    const { id } = await conversations.create()
    const report = await conversations.open(id, (one) => opened.host.meter.read(one))
    expect(report.servers).toMatchObject([{ serverId: server, serverName: 'server-filesystem' }])
    expect(report.tools).toBeGreaterThan(500)
  })
})
