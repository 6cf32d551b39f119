import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { NO_PLACE } from '../../../src-shared/contract/projects.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

async function place(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-project-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const rootsOf = async (chat: ChatHost, id: number) => (await chat.server.ask('roots/list', undefined, id)).result?.roots
const told = (chat: ChatHost) => chat.server.got('notifications/roots/list_changed').length
const folders = (...paths: string[]) => ({ ...NO_PLACE, folders: paths.map((path) => ({ path })) })

describe('folders of a project', () => {
  it('are the named place of its conversations, and no server learns of them unasked', async () => {
    const top = await place()
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { path: join(top, 'a'), other: '/etc/hosts' } }]] })
    const { id: project } = await chat.host.projects.create('Garden')
    await chat.host.projects.change(project, { place: folders(top) })
    const { id } = await chat.host.conversations.create({ project })
    await chat.host.conversations.open(id, (one) => one.send('Go'))
    const { question } = await chat.question()
    expect(question.calls[0]?.guards.filter(({ guard }) => guard === 'outside')).toMatchObject([{ argument: 'other' }])
    await chat.answer('deny')
    await chat.idle(id)
    expect(await rootsOf(chat, 1)).toEqual([])
    expect(chat.host.servers.configured.find(PLAYGROUND_ID)?.record.wantsFolders).toBe(true)
  })

  it('become roots of the chosen servers, for as long as they are chosen (ROOT-03, ROOT-19)', async () => {
    const top = await place()
    await mkdir(join(top, 'more'))
    const root = (path: string) => ({ uri: pathToFileURL(path).href, name: path.split('/').at(-1) })
    const chat = await chatHost()
    const { id: project } = await chat.host.projects.create('Garden')
    await chat.host.projects.change(project, { place: folders(top), toldTo: [PLAYGROUND_ID] })
    await until(() => told(chat) === 1, 'the news')
    expect(await rootsOf(chat, 1)).toEqual([root(top)])
    await chat.host.features.roots.set(PLAYGROUND_ID, [{ path: join(top, 'more') }])
    expect(await rootsOf(chat, 2)).toEqual([root(join(top, 'more')), root(top)])
    await chat.host.features.roots.set(PLAYGROUND_ID, [])
    await chat.end()

    const again = await chatHost({ after: chat })
    expect(again.host.projects.read(project).toldTo).toEqual([PLAYGROUND_ID])
    expect(await rootsOf(again, 1)).toEqual([root(top)])
    await again.host.projects.change(project, { toldTo: [] })
    await until(() => told(again) > 0, 'the news')
    expect(await rootsOf(again, 2)).toEqual([])
    await again.host.projects.change(project, { toldTo: [PLAYGROUND_ID] })
    expect(await rootsOf(again, 3)).toEqual([root(top)])
    await again.host.projects.remove(project)
    expect(await rootsOf(again, 4)).toEqual([])
  })

  it('stay named while they are missing and others are added; folders with our data are refused', async () => {
    const top = await place()
    await mkdir(join(top, 'away'))
    const chat = await chatHost({ disk: true })
    const { id: project } = await chat.host.projects.create('Garden')
    await chat.host.projects.change(project, { place: folders(join(top, 'away')) })
    await rm(join(top, 'away'), { recursive: true })
    await chat.host.projects.change(project, { place: folders(join(top, 'away'), top) })
    expect(chat.host.projects.read(project).place.folders).toHaveLength(2)
    await expect(chat.host.projects.change(project, { place: folders(chat.folder) })).rejects.toMatchObject({
      code: 'invalid-params',
    })
  })

  it('are chosen in the system’s dialog, where there is one, and never named by a page', async () => {
    const top = await place()
    const chat = await chatHost({ disk: true, platform: { pickFolder: async () => top } })
    const { folders: chosen, conversations, projects, features, imports } = chat.host
    const { id: project } = await projects.create('Garden')
    const id = await chat.newConversation()
    const requests = [
      () => conversations.open(id, (one) => one.setPlace(folders(top))),
      () => projects.change(project, { place: folders(top) }),
      () => features.roots.set(PLAYGROUND_ID, [{ path: top }]),
      () => imports.review({ folder: top }),
    ]
    for (const request of requests) await expect(request()).rejects.toThrow('was not chosen in the system’s dialog')
    expect(await chosen.pick('Choose a folder')).toBe(top)
    for (const request of requests.slice(0, 3)) await request()
    await expect(requests[3]?.()).rejects.toThrow('It has no servers.')
    await expect(conversations.open(id, (one) => one.setPlace(folders(top, chat.folder)))).rejects.toThrow('was not chosen')
    await conversations.open(id, (one) => one.setPlace({ ...folders(top), hosts: ['example.org'] }))
  })

  it('never include our own data, nor do those of a conversation', async () => {
    const chat = await chatHost({ disk: true })
    const id = await chat.newConversation()
    await expect(chat.host.conversations.open(id, (one) => one.setPlace(folders(chat.folder)))).rejects.toThrow(
      'Parley’s own data',
    )
  })
})
