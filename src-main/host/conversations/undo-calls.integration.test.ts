import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLedgerIn } from '../../../e2e/support/storage/ledger.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ScriptedReply } from '../../../e2e/test-hosts/scripted-provider.ts'
import { temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { editAndResend, forkAt } from './conversation-branches.ts'

const NAME = '@modelcontextprotocol/server-filesystem'
const program = fileURLToPath(new URL(`../../../node_modules/${NAME}/dist/index.js`, import.meta.url))
const BEFORE = 'one\ntwo\nthree\n'

interface Chat {
  readonly chat: ChatHost
  readonly environment: NodeJS.ProcessEnv
  readonly id: ConversationId
  readonly file: string
  /** The text of the file. */
  readonly text: () => Promise<string>
  /** The last call of the conversation. */
  readonly last: () => Promise<Awaited<ReturnType<ChatHost['call']>>>
}

type Step = readonly [tool: string, args: JsonObject]

/** A conversation in which the model made calls, one a reply, to the published server, which `npx` starts from the disk. */
async function after(steps: (file: string) => readonly (Step | readonly Step[])[]): Promise<Chat> {
  const folder = await temporaryFolder()
  const bin = join(folder, 'bin')
  const file = join(folder, 'files', 'notes.md')
  await Promise.all([mkdir(bin), mkdir(dirname(file))])
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$3"\n`, { mode: 0o755 })
  await writeFile(file, BEFORE)
  const rounds = steps(file).map((round) => (typeof round[0] === 'string' ? [round as Step] : (round as readonly Step[])))
  const replies: ScriptedReply[] = rounds.map((round) => round.map(([call, args]) => ({ call, args })))
  const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const chat = await chatHost({ disk: true, replies, environment })
  const launch = { type: 'local' as const, command: 'npx', args: ['-y', NAME, dirname(file)], env: {} }
  await chat.host.servers.edits.add({ name: 'files', launch })
  const question = await until(
    () => chat.host.state.snapshot.interactions.find((one) => one.kind === 'server-trust'),
    'the question about the start',
  )
  chat.host.interactions.answer({ id: question.id, kind: question.kind, answer: { decision: 'allow' } })
  await until(() => chat.host.state.snapshot.servers[FILES]?.state.is === 'ready', 'the server')
  const id = await chat.say('Please look after my notes.')
  await allowAll(chat, id)
  const { toolCalls } = await chat.storage.messages.transcript(id)
  expect([...toolCalls.values()].map(({ toolCall }) => toolCall.status)).toEqual(rounds.flat().map(() => 'finished'))
  return { chat, environment, id, file, text: () => readFile(file, 'utf8'), last: () => chat.call(id, toolCalls.size - 1) }
}

const FILES = 'files' as ServerId

async function allowAll(chat: ChatHost, id: ConversationId): Promise<void> {
  const asked = () => chat.host.state.snapshot.interactions.some((one) => one.kind === 'tool-consent')
  const ended = () => chat.host.state.snapshot.conversations.find((one) => one.id === id)?.turn === 'idle'
  while ((await until(() => (asked() ? 'asked' : ended() && 'ended'), 'a question or the end')) === 'asked')
    await chat.answer('once')
}

const can = ({ chat, id }: Chat, call: { id: Awaited<ReturnType<ChatHost['call']>>['id'] }) =>
  chat.host.conversations.open(id, (one) => one.undo.can(call.id))

async function undo({ chat, id }: Chat, decision: 'once' | 'deny', call: Awaited<ReturnType<ChatHost['call']>>): Promise<void> {
  const undoing = chat.host.conversations.open(id, (one) => one.undo.run(call.id))
  await chat.answer(decision)
  await undoing
}

const read = (file: string): Step => ['read_text_file', { path: file }]
const edit = (file: string, oldText: string, newText: string): Step => [
  'edit_file',
  { path: file, edits: [{ oldText, newText }] },
]
const write = (file: string, content: string): Step => ['write_file', { path: file, content }]

describe.skipIf(process.platform === 'win32')('undo of a change to a file', () => {
  it('asks about the reverse edit, makes it, tells the model at its next turn, and is in the ledger', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const { chat, id, text } = made
    const call = await made.last()
    expect(await text()).toBe('one\nsecond\nthree\n')
    expect(await can(made, call)).toBe(true)
    const undoing = chat.host.conversations.open(id, (one) => one.undo.run(call.id))
    const { question, about } = await chat.question()
    expect(about.cause).toMatch(/^You undo a change in “/)
    expect(question.calls).toMatchObject([{ undoes: true }])
    expect(JSON.parse(question.calls[0]?.arguments.json ?? '')).toMatchObject({ edits: [{ oldText: 'second', newText: 'two' }] })
    expect(await text()).toBe('one\nsecond\nthree\n')
    await chat.answer('once')
    await undoing
    expect(await text()).toBe(BEFORE)
    expect(await made.last()).toMatchObject({ undone: true })
    expect(await can(made, call)).toBe(false)
    expect(JSON.stringify(chat.model.request(-1))).not.toContain('undid')
    await chat.host.conversations.open(id, (one) => one.send('And now?'))
    await chat.idle(id)
    expect(chat.model.told('call-2')).toContain('the person undid')
    expect(readLedgerIn(chat.folder)[0]).toMatchObject({ tool: 'edit_file', undoes: true, outcome: 'finished' })
    expect(readLedgerIn(chat.folder).filter(({ undoes }) => undoes)).toHaveLength(1)
    expect((await chat.storage.ledger.lines(0)).text).toContain('"undoes":true')
    const { toolCalls } = await chat.storage.messages.transcript(id)
    expect([...toolCalls.values()].filter(({ toolCall }) => toolCall.undoes === call.id)).toHaveLength(1)
  })

  it('puts back the text that was read before a whole write', async () => {
    const made = await after((file) => [read(file), write(file, 'gone')])
    await undo(made, 'once', await made.last())
    expect(await made.text()).toBe(BEFORE)
  })

  it('keeps what another program has written into the file since', async () => {
    const made = await after((file) => [read(file), write(file, 'gone')])
    const call = await made.last()
    await writeFile(made.file, 'mine')
    await expect(undo(made, 'once', call)).rejects.toThrow()
    expect(await made.text()).toBe('mine')
    expect(await made.last()).not.toHaveProperty('undone')
  })

  it('changes nothing when the person denies it, and is still offered', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const call = await made.last()
    await undo(made, 'deny', call)
    expect(await made.text()).toBe('one\nsecond\nthree\n')
    expect(await can(made, call)).toBe(true)
    expect(await made.last()).not.toHaveProperty('undone')
  })

  it('is offered only for the last change of a file, and then for the one before', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second'), edit(file, 'one', 'first')])
    const [earlier, later] = [await made.chat.call(made.id, 1), await made.last()]
    expect(await can(made, earlier)).toBe(false)
    await undo(made, 'once', later)
    expect(await can(made, earlier)).toBe(true)
    await undo(made, 'once', earlier)
    expect(await made.text()).toBe(BEFORE)
  })

  it('is withdrawn when the person sends a message while it asks', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const { chat, id } = made
    const undoing = chat.host.conversations.open(id, async (one) => one.undo.run((await made.last()).id))
    await chat.question()
    await chat.host.conversations.open(id, (one) => one.send('Never mind.'))
    await until(() => !chat.host.state.snapshot.interactions.some((one) => one.kind === 'tool-consent'), 'the question to go')
    await undoing
    await chat.idle(id)
    expect(await made.text()).toBe('one\nsecond\nthree\n')
  })

  it('that was denied leaves the questions about later calls as they were', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const { chat, id } = made
    const call = await made.last()
    const guards = async () => {
      const { question } = await chat.question()
      return question.calls.flatMap((one) => one.guards.map(({ guard }) => guard))
    }
    for (const decision of ['deny', 'once'] as const) {
      const undoing = chat.host.conversations.open(id, (one) => one.undo.run(call.id))
      expect(await guards()).not.toContain('denied')
      await chat.answer(decision)
      await undoing
    }
  })

  it('needs no look at its result, which no model is told', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    await made.chat.host.servers.controls.setOptions(FILES, { reviewResults: true })
    await undo(made, 'once', await made.last())
    expect(await made.last()).toMatchObject({ undone: true })
  })

  it('says why where a rule denies it without a question', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const call = await made.last()
    await made.chat.host.consent.rules.add({ effect: 'deny', serverId: FILES, powers: [], limits: [] })
    await expect(made.chat.host.conversations.open(made.id, (one) => one.undo.run(call.id))).rejects.toThrow('Your rule denies')
    expect(await made.text()).toBe('one\nsecond\nthree\n')
  })

  it('knows the changes in versions that are not shown', async () => {
    const made = await after((file) => [read(file)])
    const { chat, id, file } = made
    chat.model.push([{ call: 'edit_file', args: edit(file, 'one', 'first')[1] }], ['Done.'])
    await chat.host.conversations.open(id, (one) => one.send('Change the first line.'))
    await allowAll(chat, id)
    const { messages } = await chat.storage.messages.transcript(id)
    const second = messages.findLast(({ message }) => message.role === 'user')?.message.id
    if (second === undefined) throw new Error('Nothing was sent.')
    chat.model.push([{ call: 'write_file', args: { path: file, content: 'gone' } }], ['Done.'])
    await chat.host.conversations.open(id, (one) => editAndResend(one, second, 'Empty it.'))
    await allowAll(chat, id)
    const call = await chat.call(id, 1)
    expect(call).toMatchObject({ tool: 'write_file', status: 'finished' })
    await undo(made, 'once', call)
    expect(await made.text()).toBe('first\ntwo\nthree\n')
  })

  it('stays with its conversation in a fork, a file and after a restart, and in the ledger when that is deleted', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const { chat, id, environment } = made
    const call = await made.last()
    await undo(made, 'once', call)
    const { messages } = await chat.storage.messages.transcript(id)
    const last = messages.at(-1)?.message.id
    if (last === undefined) throw new Error('There is no message.')
    const { id: fork } = await chat.host.conversations.open(id, (one) => forkAt(one, last))
    const files = chat.host.conversationFiles
    const written = async (format: 'json' | 'markdown') =>
      Buffer.from(await chat.host.storage.blobs.read((await files.export([id], format)).url)).toString('utf8')
    expect((await written('markdown')).match(/Undone by the person/g)).toHaveLength(1)
    const taken = await files.import({ piece: await written('json'), last: true })
    const [brought] = taken.is === 'imported' ? taken.ids : []
    if (brought === undefined) throw new Error('It was not imported.')
    const { hits } = await chat.host.conversations.search('notes')
    expect(new Set(hits.map(({ head }) => head.id))).toEqual(new Set([id, fork, brought]))
    await chat.end()

    const again = await chatHost({ after: chat, environment })
    for (const one of [id, fork, brought]) {
      expect(await again.call(one, 1)).toMatchObject({ undone: true, status: 'finished' })
      expect(await can({ ...made, chat: again, id: one }, call)).toBe(false)
      const { toolCalls } = await again.storage.messages.transcript(one)
      expect([...toolCalls.values()].filter(({ toolCall }) => toolCall.undoes === call.id)).toHaveLength(1)
      await again.host.conversations.open(one, (open) => open.send('And now?'))
      await again.idle(one)
      expect(JSON.stringify(again.model.request(-1))).toContain('the person undid')
      await again.host.conversations.remove(one)
    }
    await again.end()
    const empty = await chatHost({ after: again, environment })
    expect((await empty.host.conversations.page()).total).toBe(0)
    expect(readLedgerIn(chat.folder)[0]).toMatchObject({ conversationId: id, tool: 'edit_file', outcome: 'finished' })
  })

  it('leaves nothing open and can be asked for again when Parley is killed or the conversation deleted while it asks', async () => {
    const made = await after((file) => [read(file), edit(file, 'two', 'second')])
    const { chat, id, environment } = made
    const call = await made.last()
    const undoing = chat.host.conversations.open(id, (one) => one.undo.run(call.id))
    await chat.question()
    // All that a kill at this moment leaves.
    const folder = join(await temporaryFolder(), 'data')
    await cp(chat.folder, folder, { recursive: true })
    await chat.host.conversations.remove(id)
    await undoing
    expect(chat.host.state.snapshot.interactions.filter(({ kind }) => kind === 'tool-consent')).toEqual([])
    await chat.host.conversations.restore(id)
    expect(await can(made, call)).toBe(true)
    await chat.end()

    const later = await chatHost({ after: { folder, memory: undefined }, environment })
    expect(later.host.state.snapshot.interactions.filter(({ kind }) => kind === 'tool-consent')).toEqual([])
    const { toolCalls } = await later.storage.messages.transcript(id)
    expect([...toolCalls.values()].find(({ toolCall }) => toolCall.undoes === call.id)?.toolCall).toMatchObject({
      status: 'interrupted',
      problem: { todo: 'Nothing was sent to the server.' },
    })
    await undo({ ...made, chat: later }, 'once', call)
    expect(await made.text()).toBe(BEFORE)
  })
})
