import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesystemByNpx, pathWithNpx } from '../../../e2e/support/npx-on-path.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE, type Place } from '../../../src-shared/contract/projects.ts'
import { forkAt } from '../conversations/conversation-branches.ts'

const named = (path: string, editable = true): Place => ({
  ...NO_PLACE,
  folders: [editable ? { path, editable: true } : { path }],
})

async function place(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-editable-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const environment = { ...process.env, PATH: pathWithNpx() }
const files = 'files' as ServerId

/** A host with the published filesystem server. */
async function editor(top: string, after?: ChatHost): Promise<ChatHost> {
  const chat = await chatHost({ environment, ...(after && { after }) })
  const record = () => chat.host.servers.configured.find(files)?.record
  if (!after) {
    const launch = { type: 'local' as const, ...filesystemByNpx(top), env: {} }
    await chat.host.servers.edits.add({ name: files, launch, options: {} })
    const question = await until(
      () => chat.host.state.snapshot.interactions.find(({ kind }) => kind === 'server-trust'),
      'the question before the first start',
    )
    chat.host.interactions.answer({ id: question.id, kind: 'server-trust', answer: { decision: 'allow' } })
  }
  // After a restart a server starts with its next use.
  await until(() => record()?.state.is === (after ? 'idle' : 'ready'), 'the filesystem server')
  return chat
}

/** True if a change of the file is asked about. */
async function isAsked(chat: ChatHost, id: ConversationId, path: string): Promise<boolean> {
  const { is } = await chat.host.consent.simulate(files, 'write_file', { path, content: 'x' }, id)
  return is === 'ask'
}

it('files may change in a ticked folder of a conversation, in its fork and after a restart', async () => {
  const top = await place()
  const chat = await editor(top)
  const id = await chat.newConversation()
  const file = join(top, 'notes.md')
  chat.model.push(['Hello'])
  await chat.host.conversations.open(id, (one) => one.send('Go'))
  await chat.idle(id)
  await chat.host.conversations.open(id, (one) => one.setPlace(named(top, false)))
  expect(await isAsked(chat, id, file)).toBe(true)
  await chat.host.conversations.open(id, (one) => one.setPlace(named(top)))
  expect(await isAsked(chat, id, file)).toBe(false)
  expect(await isAsked(chat, id, join(top, 'package.json'))).toBe(true)
  expect(await isAsked(chat, await chat.newConversation(), file)).toBe(true)
  const last = (await chat.storage.conversations.open(id, 200))?.messages.at(-1)?.id
  const fork = await chat.host.conversations.open(id, (one) => forkAt(one, last!))
  await chat.end()
  const again = await editor(top, chat)
  for (const one of [id, fork.id])
    expect(await again.host.conversations.open(one, () => isAsked(again, one, file)), one).toBe(false)
  await again.host.conversations.open(id, (one) => one.setPlace(named(top, false)))
  expect(await again.host.conversations.open(id, () => isAsked(again, id, file))).toBe(true)
})

it('files may change in a ticked folder of a project, in its conversations alone', async () => {
  const top = await place()
  const chat = await editor(top)
  const { id: project } = await chat.host.projects.create('Garden')
  await chat.host.projects.change(project, { place: named(top), toldTo: [files] })
  expect(chat.host.projects.read(project).place.folders).toEqual([{ path: top, editable: true }])
  const { id } = await chat.host.conversations.create({ project })
  const file = join(top, 'notes.md')
  expect(await chat.host.conversations.open(id, () => isAsked(chat, id, file))).toBe(false)
  expect(await isAsked(chat, await chat.newConversation(), file)).toBe(true)
})

it('files may change by a server in a folder shared with it, and by no other server', async () => {
  const top = await place()
  const chat = await editor(top)
  const id = await chat.newConversation()
  await chat.host.features.roots.set(files, [{ path: top, editable: true }])
  expect(chat.host.servers.configured.find(files)?.record.folders).toMatchObject([{ path: top, editable: true }])
  expect(await isAsked(chat, id, join(top, 'notes.md'))).toBe(false)
  await chat.host.features.roots.set(files, [{ path: top }])
  expect(await isAsked(chat, id, join(top, 'notes.md'))).toBe(true)
})
