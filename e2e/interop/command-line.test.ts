import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { HostClient } from '../shells/host-client.ts'
import { node, root, ShellProcess } from '../shells/shell-process.ts'
import { startWebProcess } from '../shells/web-process.ts'
import { temporaryFolder } from '../support/storage/temporary-storage.ts'
import { until } from '../support/until.ts'

interface Said {
  readonly status: string
  readonly conversation: { readonly id: string; readonly title: string }
  readonly reply: string
  readonly calls: readonly { readonly tool: string; readonly status: string }[]
  readonly questions: readonly { readonly kind: string; readonly calls?: readonly { readonly tool: string }[] }[]
}

const DELETE = 'use delete-note with name=groceries'
/** Streams for many seconds. */
const LONG = 'count to 9999'

/** The built command, as a person types it. */
function parley(...words: string[]): ShellProcess {
  const command = new ShellProcess(node, [join(root, 'src-main', 'parley.mjs'), ...words], {})
  onTestFinished(() => command.kill9())
  return command
}

async function done(command: ShellProcess): Promise<{ code: number | null; said: string }> {
  const code = await command.ended()
  return { code, said: command.output() }
}

const jsonOf = (said: string): Said => JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '{}')

async function openWeb(folder: string) {
  const web = await startWebProcess(folder)
  onTestFinished(() => web.quit().then(() => {}))
  return { web, client: await HostClient.open(web.link) }
}

/** Says it in a new conversation, and makes the rule of the widest scope that is offered. */
async function allowAlways(client: HostClient, prompt: string): Promise<void> {
  const { id } = await client.request('conversation.create', {})
  await client.request('conversation.send', { id, text: prompt })
  const asked = await client.until(() => client.host.interactions[0], 'the question')
  if (asked.kind !== 'tool-consent') throw new Error('It is another question.')
  const calls = asked.question.calls.map(({ toolCallId }) => toolCallId)
  const offer = asked.question.offers.findLast(({ scope }) => scope === 'always')?.id ?? ''
  await client.request('interaction.answer', { id: asked.id, kind: asked.kind, answer: { decision: 'allow', calls, offer } })
  await client.until(() => client.host.conversations[0]?.turn === 'idle', 'the end of the turn')
}

describe('parley run, with no other Parley on the data folder', () => {
  it('makes the calls that a rule allows, prints the reply, and keeps the conversation', async () => {
    const folder = await temporaryFolder()
    const { web, client } = await openWeb(folder)
    await allowAlways(client, 'use add with a=1 b=1')
    await web.quit()
    const { code, said } = await done(parley('run', '--json', '--data', folder, 'use add with a=2 b=3'))
    expect([code, jsonOf(said)]).toMatchObject([
      0,
      { status: 'finished', reply: expect.stringContaining('5'), calls: [{ tool: 'add', status: 'finished' }], questions: [] },
    ])
    const again = await openWeb(folder)
    expect(again.client.host.conversations[0]).toMatchObject({ title: 'use add with a=2 b=3', turn: 'idle' })
  })

  it('ends with 3 and names the waiting call that nobody allowed', async () => {
    const folder = await temporaryFolder()
    const plain = await done(parley('run', '--data', folder, DELETE))
    expect(plain.code).toBe(3)
    expect(plain.said).toContain('delete-note {"name":"groceries"}')
    const { code, said } = await done(parley('run', '--json', '--data', folder, DELETE))
    expect([code, jsonOf(said)]).toMatchObject([
      3,
      { status: 'waiting', questions: [{ kind: 'tool-consent', calls: [{ tool: 'delete-note' }] }] },
    ])
    const { client } = await openWeb(folder)
    const topic = await client.follow<ConversationTopic>(`conversation/${jsonOf(said).conversation.id as never}`)
    expect(Object.values(topic.toolCalls)).toMatchObject([{ tool: 'delete-note', status: 'interrupted' }])
  })

  it('ends with 3 and names the server that nobody allowed to start', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { files: { command: node, args: ['files.js'] } } }))
    const { code, said } = await done(parley('run', '--data', folder, 'hello'))
    expect(code).toBe(3)
    expect(said).toContain('Without files: it waits for your permission to start.')
    expect(said).toContain('“files” waits for your permission to start.')
  })

  it('waits for another run of the same folder', async () => {
    const folder = await temporaryFolder()
    const both = await Promise.all([1, 2].map((n) => done(parley('run', '--data', folder, `hello ${n}`))))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
  })

  it('stops the turn when interrupted, and ends with 130', async () => {
    const folder = await temporaryFolder()
    const command = parley('run', '--data', folder, LONG)
    await until(() => existsSync(join(folder, 'lock.json')), 'the run')
    process.kill(command.pid, 'SIGINT')
    expect((await done(command)).code).toBe(130)
  })

  it.each([
    [[], 'run needs one prompt'],
    [['two', 'prompts'], 'run needs one prompt'],
    [[''], 'The prompt is empty'],
    [['--frobnicate', 'x'], 'Unknown option'],
    [['--project', '', 'x'], '--project needs'],
  ])('prints its usage for the arguments %j, and ends with 2', async (words, why) => {
    const folder = await temporaryFolder()
    expect(await done(parley('run', '--data', folder, ...words))).toMatchObject({ code: 2, said: expect.stringContaining(why) })
  })

  it('says that a project does not exist, and ends with 1', async () => {
    const said = await done(parley('run', '--data', await temporaryFolder(), '--project', 'shop', 'hello'))
    expect(said).toMatchObject({ code: 1, said: expect.stringContaining('There is no project “shop”') })
  })
})

it('parley serve says that it waits for a running prompt, and opens after it', async () => {
  const folder = await temporaryFolder()
  const run = parley('run', '--data', folder, LONG)
  await until(() => existsSync(join(folder, 'lock.json')), 'the run')
  const serve = parley('serve', '--port', '0', '--data', folder)
  await serve.printed(/Waiting for a prompt of the command line/)
  process.kill(run.pid, 'SIGINT')
  await serve.printed(/Parley is open at/)
  expect([(await done(run)).code, await serve.stop()]).toEqual([130, 0])
})

describe('parley run, next to a running Parley', () => {
  it('runs there, and leaves its question to the window, which can answer it later', async () => {
    const folder = await temporaryFolder()
    const { client } = await openWeb(folder)
    const { code, said } = await done(parley('run', '--json', '--data', folder, DELETE))
    expect([code, jsonOf(said).status]).toEqual([3, 'waiting'])
    const asked = client.host.interactions[0]
    if (asked?.kind !== 'tool-consent') throw new Error('There is no question.')
    const calls = asked.question.calls.map(({ toolCallId }) => toolCallId)
    await client.request('interaction.answer', { id: asked.id, kind: asked.kind, answer: { decision: 'allow', calls } })
    const topic = await client.follow<ConversationTopic>(`conversation/${jsonOf(said).conversation.id as never}`)
    expect(topic.messages.length).toBeGreaterThan(0)
    await client.until(() => client.host.conversations[0]?.turn === 'idle', 'the end of the turn')
  })

  it('runs in the named project', async () => {
    const folder = await temporaryFolder()
    const { client } = await openWeb(folder)
    const { id } = await client.request('project.create', { name: 'Shop' })
    expect((await done(parley('run', '--data', folder, '--project', 'shop', 'hello'))).code).toBe(0)
    expect(client.host.conversations).toMatchObject([{ project: id }])
  })

  it('stops the turn there when interrupted', async () => {
    const folder = await temporaryFolder()
    const { client } = await openWeb(folder)
    const command = parley('run', '--data', folder, LONG)
    await client.until(() => client.host.conversations[0]?.turn === 'running', 'the turn')
    process.kill(command.pid, 'SIGINT')
    expect((await done(command)).code).toBe(130)
    await client.until(() => client.host.conversations[0]?.turn === 'idle', 'the end of the turn')
  })

  it('gives a fresh link to the page', async () => {
    const folder = await temporaryFolder()
    const { web } = await openWeb(folder)
    const { code, said } = await done(parley('link', '--data', folder))
    expect([code, new URL(said.trim()).origin]).toEqual([0, new URL(web.link).origin])
    expect((await HostClient.open(said.trim())).closed).toBe(false)
  })
})

it('parley link says that nothing is running', async () => {
  const said = await done(parley('link', '--data', await temporaryFolder()))
  expect(said).toMatchObject({ code: 1, said: expect.stringContaining('No running Parley uses') })
})
