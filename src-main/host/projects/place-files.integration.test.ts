import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { ServerHost, small } from '../../../e2e/test-hosts/server-host.ts'
import { FILE_LIMIT } from '../../../src-shared/contract/attachments.ts'
import { NO_PLACE } from '../../../src-shared/contract/projects.ts'

/** A folder with these files. Its own name is searched too, so it has none of the random letters of a temporary one. */
async function folderWith(...names: readonly string[]): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'parley-named-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const folder = join(top, 'named')
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), `This is ${name}.`)
  }
  return folder
}

const NOWHERE = { folders: [], hosts: [], recipients: [] }

const named = (...paths: readonly string[]) => ({ ...NO_PLACE, folders: paths.map((path) => ({ path })) })

describe('files of the named folders', () => {
  it('are found by their letters, without hidden ones and links, and not without a folder', async () => {
    const top = await folderWith('src/garden/roses.ts', 'todo.md', '.env', '.git/config', 'node_modules/a/index.js')
    const outside = await folderWith('secret.txt')
    await symlink(join(outside, 'secret.txt'), join(top, 'link.txt'))
    await symlink(outside, join(top, 'elsewhere'))
    const chat = await chatHost()
    const id = await chat.newConversation()
    const { placeFiles } = chat.host
    expect(await chat.host.conversations.open(id, (one) => placeFiles.find(one.place, ''))).toEqual({
      folders: 0,
      files: [],
      cut: false,
    })
    await chat.host.conversations.open(id, (one) => one.setPlace(named(top)))
    const found = async (query: string) =>
      (await chat.host.conversations.open(id, (one) => placeFiles.find(one.place, query))).files.map(({ path }) =>
        path.slice(top.length + 1),
      )
    expect(await found('')).toEqual(['todo.md', join('src', 'garden', 'roses.ts')])
    expect(await found('gardros')).toEqual([join('src', 'garden', 'roses.ts')])
    expect(await found('secret')).toEqual([])

    const { id: project } = await chat.host.projects.create('Garden')
    await chat.host.projects.change(project, { place: named(join(top, 'src')) })
    const { files } = await placeFiles.find(chat.host.projects.placeOf(NO_PLACE, project), '')
    expect(files).toEqual([{ path: join(top, 'src', 'garden', 'roses.ts'), within: join('src', 'garden') }])
  })

  it('are found in the folders that servers in use were given, too', async () => {
    const [started, shared, stopped] = [await folderWith('started.md'), await folderWith('shared.md'), await folderWith('off.md')]
    const opened = await ServerHost.open()
    const found = async () => (await opened.host.placeFiles.find(NOWHERE, '')).files.map(({ path }) => basename(path)).sort()
    await opened.ready('a', small('ok.mjs', [started]))
    const b = await opened.ready('b', small('ok.mjs'))
    await opened.host.features.roots.set(b, [{ path: shared }])
    const off = await opened.ready('off', small('ok.mjs', [stopped]))
    await opened.host.servers.controls.setOptions(off, { enabled: false })
    expect(await found()).toEqual(['shared.md', 'started.md'])
    const limit = { bytes: FILE_LIMIT, tooLarge: 'large' }
    await opened.host.placeFiles.read(NOWHERE, join(shared, 'shared.md'), limit)
    await expect(opened.host.placeFiles.read(NOWHERE, join(stopped, 'off.md'), limit)).rejects.toThrow('not in a folder')
  })

  it('are attached as the person’s files, and no other file of the machine, whatever a page asks for', async () => {
    const top = await folderWith('todo.md', '.env', 'large.txt')
    const outside = await folderWith('secret.txt')
    await symlink(join(outside, 'secret.txt'), join(top, 'link.txt'))
    await symlink(outside, join(top, 'elsewhere'))
    await writeFile(join(top, 'large.txt'), Buffer.alloc(FILE_LIMIT + 1))
    const chat = await chatHost()
    const id = await chat.newConversation()
    const attach = (path: string) => chat.host.conversations.open(id, (one) => chat.host.personFiles.attachNamed(one, path))
    await expect(attach(join(top, 'todo.md'))).rejects.toThrow('not in a folder of this conversation')
    await chat.host.conversations.open(id, (one) => one.setPlace(named(top)))
    expect((await attach(join(top, 'todo.md'))).attachment).toMatchObject({ file: 'text', title: 'todo.md', size: 16 })
    for (const path of [
      ...[join(outside, 'secret.txt'), join(top, '..', outside.split('/').at(-1) ?? '', 'secret.txt'), join(top, '.env')],
      ...[join(top, 'link.txt'), join(top, 'elsewhere', 'secret.txt'), top, join(top, 'gone'), `${top}/todo.md\0`],
    ]) {
      await expect(attach(path), path).rejects.toThrow(/not in a folder of|cannot be read|was replaced|of this kind/)
    }
    await expect(attach(join(top, 'large.txt'))).rejects.toThrow('larger than')
    const { attachments = [] } = await chat.storage.states.of(id)
    expect(attachments.map(({ title }) => title)).toEqual(['todo.md'])
  })

  it('exclude keys, hidden files and unknown kinds, even where such a folder was named', async () => {
    const top = await folderWith('.ssh/id_ed25519', '.ssh/notes.md', 'id_rsa', 'site.pem', 'safe.kdbx', 'Login Data', 'Makefile')
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n'
    await writeFile(join(top, 'looks-like.md'), `Some words\n${key}`)
    const chat = await chatHost()
    const id = await chat.newConversation()
    await chat.host.conversations.open(id, (one) => one.setPlace(named(top, join(top, '.ssh'))))
    const { placeFiles, personFiles } = chat.host
    const { files } = await chat.host.conversations.open(id, (one) => placeFiles.find(one.place, ''))
    expect(files.map(({ path }) => path.slice(top.length + 1)).sort()).toEqual(['Makefile', 'looks-like.md'])
    for (const name of ['.ssh/id_ed25519', '.ssh/notes.md', 'id_rsa', 'site.pem', 'safe.kdbx', 'Login Data', 'looks-like.md'])
      await expect(
        chat.host.conversations.open(id, (one) => personFiles.attachNamed(one, join(top, name))),
        name,
      ).rejects.toThrow(/not read/)
    expect(
      (await chat.host.conversations.open(id, (one) => personFiles.attachNamed(one, join(top, 'Makefile')))).attachment,
    ).toMatchObject({ title: 'Makefile' })
  })
})
