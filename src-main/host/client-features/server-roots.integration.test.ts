import { createHook } from 'node:async_hooks'
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, openQuestions, question } from '../../../e2e/test-hosts/open-question.ts'
import { ServerHost, small } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type FolderChoice, NO_PLACE } from '../../../src-shared/contract/projects.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { Platform } from '../core/platform.ts'
import { resolveRoot, rootOf, suggestFolders } from './roots.ts'

/** A folder of its own, without links on the way. */
async function place(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-roots-')))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const rootsOf = async (chat: ChatHost, id: number) => (await chat.server.ask('roots/list', undefined, id)).result?.roots
/** A host whose server does not answer the call that a person made: what it asks now is for its sake. */
async function inCall(options: ChatOptions = {}): Promise<ChatHost> {
  const chat = await chatHost({ ...options, onCall: () => Promise.withResolvers<never>().promise })
  chat.host.byHand.call(PLAYGROUND_ID, 'echo', {}, new AbortController().signal).catch(() => {})
  await chat.server.waitFor('tools/call')
  return chat
}
const wants = (chat: ChatHost) => chat.host.servers.configured.find(PLAYGROUND_ID)?.record.wantsFolders
const share = (chat: ChatHost, folders: readonly FolderChoice[] | null) => chat.host.features.roots.set(PLAYGROUND_ID, folders)
const shown = (chat: ChatHost) => chat.host.servers.configured.find(PLAYGROUND_ID)?.record.folders
const told = (chat: ChatHost) => chat.server.got('notifications/roots/list_changed').length

describe('a shared folder', () => {
  it('is the real path, without `..` and links (ROOT-10, TRAP-73, V26-ROOT-1)', async () => {
    const top = await place()
    await mkdir(join(top, 'real'))
    await symlink(join(top, 'real'), join(top, 'link'))
    expect(await resolveRoot(join(top, 'link'), [])).toEqual({ ok: true, path: join(top, 'real') })
    expect(await resolveRoot(`${top}/real/../real`, [])).toEqual({ ok: true, path: join(top, 'real') })
    expect(await resolveRoot('real', [])).toMatchObject({ ok: false, why: '“real” is not a full path.' })
    expect(await resolveRoot('/a\0b', [])).toMatchObject({ ok: false })
  })

  it('must exist and be readable, and may not be this host’s data (ROOT-09, ROOT-15, ROOT-06)', async () => {
    const top = await place()
    await writeFile(join(top, 'file.txt'), '')
    expect(await resolveRoot(join(top, 'file.txt'), [])).toMatchObject({ ok: true })
    expect(await resolveRoot(join(top, 'gone'), [])).toMatchObject({ ok: false, why: expect.stringContaining('does not exist') })
    expect(await resolveRoot('/dev/null', [])).toMatchObject({ ok: false, why: expect.stringContaining('neither') })
    await mkdir(join(top, 'data', 'blobs'), { recursive: true })
    await symlink(join(top, 'data'), join(top, 'innocent'))
    expect(await resolveRoot(join(top, 'innocent', 'blobs'), [join(top, 'data')])).toMatchObject({ ok: false })
    if (process.getuid?.() === 0) return
    await chmod(join(top, 'data'), 0)
    expect(await resolveRoot(join(top, 'data'), [])).toMatchObject({ ok: false, why: expect.stringContaining('cannot be read') })
  })

  it('is sent as a file URI, escaped, drives included (ROOT-05)', () => {
    expect(rootOf({ path: '/home/ä b/100%#?' })).toEqual({ uri: 'file:///home/%C3%A4%20b/100%25%23%3F', name: '100%#?' })
    expect(rootOf({ path: 'C:\\Users\\Ada', name: 'Mine' }, { windows: true })).toEqual({
      uri: 'file:///C:/Users/Ada',
      name: 'Mine',
    })
    expect(rootOf({ path: '/' }).uri).toBe('file:///')
  })

  it('is suggested where version control is found, with the reason, and never twice (ROOT-19)', async () => {
    const top = await place()
    await mkdir(join(top, 'repo', '.git'), { recursive: true })
    await mkdir(join(top, 'repo', 'src'))
    const found = await suggestFolders(
      [
        { path: join(top, 'repo', 'src'), reason: 'that the server runs in' },
        { path: join(top, 'repo'), reason: 'again' },
        { path: '--verbose', reason: 'no' },
      ],
      [],
    )
    expect(found).toEqual([{ path: join(top, 'repo'), name: 'repo', why: 'Git repository that the server runs in' }])
    expect(await suggestFolders([{ path: join(top, 'repo'), reason: 'x' }], [join(top, 'repo')])).toEqual([])
  })
})

describe('a server’s request for folders', () => {
  it('outside a call gets none at once, without a question; the server hears of a later choice (ROOT-03, ROOT-13, ROOT-17)', async () => {
    const top = await place()
    const chat = await chatHost()
    expect(await rootsOf(chat, 1)).toEqual([])
    expect(chat.host.state.snapshot.interactions).toEqual([])
    expect([shown(chat), wants(chat)]).toEqual([undefined, true])
    await share(chat, [{ path: top, name: 'Mine' }])
    await chat.server.waitFor('notifications/roots/list_changed')
    expect(wants(chat)).toBeUndefined()
    expect(await rootsOf(chat, 2)).toEqual([{ uri: pathToFileURL(top).href, name: 'Mine' }])
    await share(chat, null)
    expect(await rootsOf(chat, 3)).toEqual([])
    expect(wants(chat)).toBe(true)
    await share(chat, [])
    expect([shown(chat), wants(chat)]).toEqual([[], undefined])
  })

  it('in a call asks the person, and is remembered when they decided nothing (ROOT-13, ROOT-17)', async () => {
    const chat = await inCall()
    chat.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    await question(chat.host, 'roots-request')
    chat.server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await until(() => wants(chat), 'the wish')
    expect(openQuestions(chat.host, 'roots-request')).toEqual([])
  })

  it('waits for the person, and gets what was chosen, for now and later (ROOT-04, ROOT-13, SEC-01)', async () => {
    const top = await place()
    const chat = await inCall()
    expect(chat.server.got('initialize')[0]?.params.capabilities.roots).toEqual({ listChanged: true })
    const first = rootsOf(chat, 1)
    const second = rootsOf(chat, 2)
    const { about } = await question(chat.host, 'roots-request')
    expect(about.serverId).toBe(PLAYGROUND_ID)
    expect(openQuestions(chat.host, 'roots-request').length).toBe(1)
    await answer(chat.host, 'roots-request', { decision: 'share', folders: [{ path: top, name: 'Mine' }], remember: true })
    const roots = [{ uri: pathToFileURL(top).href, name: 'Mine' }]
    expect(await first).toEqual(roots)
    expect(await second).toEqual(roots)
    expect(await rootsOf(chat, 3)).toEqual(roots)
    expect(shown(chat)).toEqual([{ path: top, name: 'Mine', state: 'shared' }])
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(await rootsOf(again, 1)).toEqual(roots)
  })

  it('gets an empty list when none is shared or nobody answers, never an error (ROOT-17)', async () => {
    const chat = await inCall()
    const roots = rootsOf(chat, 1)
    await answer(chat.host, 'roots-request', { decision: 'decline' })
    expect(await roots).toEqual([])
    expect(shown(chat)).toEqual([])
    expect(await rootsOf(chat, 2)).toEqual([])
    await chat.end()
    const again = await inCall({ after: chat })
    expect(shown(again)).toBeUndefined()
    await again.host.servers.controls.setOptions(PLAYGROUND_ID, { muted: true })
    expect(await rootsOf(again, 1)).toEqual([])
    expect(again.host.state.snapshot.interactions).toEqual([])
  })

  it('omits what cannot be shared, and the person hears why (V26-ROOT-1)', async () => {
    const top = await place()
    const chat = await inCall({ disk: true })
    const roots = rootsOf(chat, 1)
    const folders = [{ path: join(top, 'gone') }, { path: top }, { path: chat.folder }]
    await answer(chat.host, 'roots-request', { decision: 'share', folders, remember: false })
    expect(await roots).toMatchObject([{ uri: pathToFileURL(top).href }])
    expect(chat.host.state.snapshot.notices.map(({ id }) => id)).toEqual(['folder-not-shared'])
  })

  it('is preceded by a notice of a change, once for changes made together (ROOT-03, ROOT-18)', async () => {
    const top = await place()
    await mkdir(join(top, 'a'))
    await mkdir(join(top, 'b'))
    const chat = await chatHost()
    await share(chat, [{ path: join(top, 'a') }])
    await share(chat, [{ path: join(top, 'a') }, { path: join(top, 'b') }])
    await share(chat, [{ path: join(top, 'b'), name: 'B' }])
    await chat.server.waitFor('notifications/roots/list_changed')
    expect(told(chat)).toBe(1)
    expect(await rootsOf(chat, 1)).toEqual([{ uri: pathToFileURL(join(top, 'b')).href, name: 'B' }])
    const order = chat.server.received.map(({ method }) => method)
    expect(order.indexOf('notifications/initialized')).toBeLessThan(order.indexOf('notifications/roots/list_changed'))
    await expect(share(chat, [{ path: '/no/such/folder' }])).rejects.toMatchObject({ code: 'invalid-params' })
    expect(shown(chat)?.length).toBe(1)
  })

  it('loses a folder that vanishes or leads elsewhere, and regains it (ROOT-12, ROOT-16, V26-ROOT-1)', async () => {
    const top = await place()
    await mkdir(join(top, 'a'))
    const chat = await chatHost()
    await share(chat, [{ path: join(top, 'a') }])
    await chat.server.waitFor('notifications/roots/list_changed')
    await rename(join(top, 'a'), join(top, 'elsewhere'))
    await chat.server.waitFor('notifications/roots/list_changed', 2)
    expect(shown(chat)).toMatchObject([{ state: 'missing' }])
    expect(await rootsOf(chat, 1)).toEqual([])
    await symlink('/', join(top, 'a'))
    expect(await rootsOf(chat, 2)).toEqual([])
    await rm(join(top, 'a'))
    await rename(join(top, 'elsewhere'), join(top, 'a'))
    await chat.server.waitFor('notifications/roots/list_changed', 3)
    expect(await rootsOf(chat, 3)).toMatchObject([{ name: 'a' }])
  })

  it('gets what was named at the first start, from the first connection on (ROOT-13, ROOT-19)', async () => {
    const top = await place()
    const named: unknown[] = []
    const confirmTrust: Platform['confirmTrust'] = async (servers) => named.push(...servers.map(({ folders }) => folders)) > 0
    const opened = await ServerHost.open({ platform: { confirmTrust } })
    const { id: project } = await opened.host.projects.create('Garden')
    await opened.host.projects.change(project, { place: { ...NO_PLACE, folders: [{ path: top }] } })
    const { serverId } = await opened.host.servers.edits.add({ name: 'a', launch: small('ok.mjs') })
    const { id, kind, question } = await opened.question('a')
    expect(question.suggestions).toContainEqual({ path: top, why: 'Folder of the project “Garden”' })
    const folders = [{ path: join(top, '.') }, { path: join(top, 'gone') }]
    opened.host.interactions.answer({ id, kind, answer: { decision: 'allow', folders } })
    await opened.until('a', 'ready')
    expect(named).toEqual([[top]])
    expect(opened.record(serverId).folders).toEqual([{ path: top, state: 'shared' }])
    expect(opened.host.state.snapshot.notices.map((notice) => notice.id)).toEqual(['folder-not-shared'])
    await opened.host.servers.edits.change(serverId, { name: 'a', launch: small('ok.mjs', ['--other']) })
    const changed = await opened.question('a')
    expect(changed.question.suggestions).toContainEqual({ path: top, why: 'Shared with it before it changed' })
    expect(changed.question.suggestions?.filter(({ path }) => path === top).length).toBe(1)
  })

  it('is offered the folder of its own command first, and no file or system folder', async () => {
    const top = await place()
    await writeFile(join(top, 'file.txt'), '')
    const opened = await ServerHost.open()
    const id = await opened.ready('a', small('ok.mjs', ['--root', '/', join(top, 'file.txt'), `${top}/.`]))
    const [first, ...others] = await opened.host.features.roots.suggestions(id)
    expect(first).toEqual({ path: top, why: 'The server was started with it', launched: true })
    expect(others.filter(({ launched }) => launched)).toEqual([])
    await opened.host.features.roots.set(id, [{ path: top }])
    await opened.host.servers.edits.change(id, { name: 'a', launch: small('ok.mjs', [top]) })
    await opened.answer('a', 'allow')
    await until(() => opened.record(id).folders === undefined, 'another launch')
    expect((await opened.host.features.roots.suggestions(id))[0]).toEqual(first)
  })

  it('reveals nothing of what other servers get (ROOT-11)', async () => {
    const top = await place()
    const opened = await ServerHost.open()
    const a = await opened.ready('a', small('ok.mjs'))
    const b = await opened.ready('b', small('ok.mjs'))
    await opened.host.features.roots.set(a, [{ path: top }])
    expect(opened.record(a).folders?.length).toBe(1)
    expect(opened.record(b).folders).toBeUndefined()
    await opened.host.servers.edits.change(a, { name: 'a', launch: small('ok.mjs', ['--other']) })
    await opened.answer('a', 'allow')
    await until(() => opened.record(a).launch.type === 'local' && opened.record(a).folders === undefined, 'another launch')
    await opened.until('a', 'ready')
  })
})

describe('a question about a tool call', () => {
  it('marks paths outside the server’s and the conversation’s folders', async () => {
    const top = await place()
    await mkdir(join(top, 'mine'))
    const args = { text: join(top, 'mine', 'x'), other: '/etc/hosts' }
    const chat = await chatHost({ replies: [[{ call: 'echo', args }]] })
    await share(chat, [{ path: join(top, 'mine') }])
    const first = await chat.say('Go')
    expect(await outside(chat)).toEqual(['other'])
    await chat.answer('deny')
    await chat.idle(first)
    const id = await chat.newConversation()
    await chat.host.conversations.open(id, (one) => one.setPlace({ ...NO_PLACE, folders: [{ path: '/etc' }] }))
    chat.model.push([{ call: 'echo', args }])
    await chat.host.conversations.open(id, (one) => one.send('Go on'))
    expect(await outside(chat)).toEqual([])
    await chat.answer('deny')
    await chat.idle(id)
  })
})

/** Arguments that the open question marks as outside. */
async function outside(chat: ChatHost): Promise<readonly (string | undefined)[]> {
  const { question } = await chat.question()
  return question.calls.flatMap(({ guards }) => guards.filter(({ guard }) => guard === 'outside').map(({ argument }) => argument))
}

describe('folders of several servers', () => {
  it('are forgotten with their own server alone, whatever its name contains', async () => {
    const parley = await ServerHost.open()
    for (const name of ['tools', 'my tools'])
      await parley.host.servers.edits.add({ name, launch: small('ok.mjs'), options: { enabled: false } })
    const { roots } = parley.host.features
    const nobody = { signal: new AbortController().signal, candidates: [] }
    for (const name of ['tools', 'my tools']) await roots.list(name as ServerId, nobody)
    await roots.forget('tools' as ServerId)
    const wants = (name: string) => roots.wantsFolders(name as ServerId, parley.record(name).launchIdentity)
    expect([wants('tools'), wants('my tools')]).toEqual([false, true])
  })

  it('are watched once, however many changes come at once', async () => {
    const top = await place()
    const chat = await chatHost()
    const open = new Set<number>()
    const hook = createHook({
      init: (id, type) => void (type === 'FSEVENTWRAP' && open.add(id)),
      destroy: (id) => void open.delete(id),
    }).enable()
    onTestFinished(() => void hook.disable())
    await share(chat, [{ path: top }])
    const one = open.size
    await Promise.all(Array.from({ length: 8 }, () => share(chat, [{ path: top }])))
    expect(one).toBeGreaterThan(0)
    await until(() => open.size <= one, 'the end of the watchers before')
  })
})
