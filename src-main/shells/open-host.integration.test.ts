import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { headOf, id, messageOf, storageIn, temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { layOut } from '../storage/base/data-folder.ts'
import { DailyCopies } from '../storage/daily-copies.ts'
import type { OpenStorage } from '../storage/open-storage.ts'
import { BlobLinks } from './blob-links.ts'
import { openHost } from './open-host.ts'
import { webPlatform } from './web/web-platform.ts'

const { signal } = new AbortController()
const quiet = () => {}

async function hostIn(folder: string) {
  const opened = await openHost(folder, webPlatform(new BlobLinks()), systemClock)
  onTestFinished(() => opened.end())
  return opened
}

/** A backup of a folder with one conversation, made after something was done to its database. */
async function backupWith(change: (storage: OpenStorage, folder: string) => Promise<void>): Promise<Buffer> {
  const folder = await temporaryFolder()
  const storage = await storageIn(folder)
  await storage.conversations.create(headOf('theirs', { title: 'Theirs' }))
  await change(storage, folder)
  const { path } = await storage.backups.make({ by: '1.0.0', at: 1, signal, onProgress: quiet })
  return readFile(path)
}

/** A folder whose next start restores it. */
async function acceptedIn(backup: Buffer): Promise<string> {
  const folder = await temporaryFolder()
  const { backups, conversations, close } = await storageIn(folder)
  await conversations.create(headOf('mine', { title: 'Mine' }))
  await backups.review(await backups.receive(backup), signal, quiet)
  await backups.accept()
  await close()
  return folder
}

function inDatabase(folder: string, statement: string): void {
  const database = new DatabaseSync(join(folder, 'parley.db'))
  database.exec(statement)
  database.close()
}

const titlesOf = ({ host }: Awaited<ReturnType<typeof hostIn>>) => host.state.snapshot.conversations.map(({ title }) => title)
const noticesOf = ({ host }: Awaited<ReturnType<typeof hostIn>>) => host.state.snapshot.notices.map(({ problem }) => problem)

const broken: readonly [string, string][] = [
  ['a record makes no sense', "INSERT INTO record (collection, key, json) VALUES ('provider', 'p', '{}')"],
  ['the head of a conversation is nothing', "UPDATE conversation SET head = 'null'"],
]

it.each(broken)('the earlier data is back at once when no host starts on a backup: %s', async (_what, statement) => {
  const folder = await acceptedIn(await backupWith(async (_storage, from) => inDatabase(from, statement)))
  const opened = await hostIn(folder)
  expect(titlesOf(opened)).toEqual(['Mine'])
  const [name = '', ...others] = await readdir(join(folder, 'earlier'))
  expect(others).toEqual([])
  expect(existsSync(join(folder, 'earlier', name, 'parley.db'))).toBe(true)
  expect(noticesOf(opened)).toMatchObject([
    {
      code: 'restore-undone',
      said: expect.stringMatching(/./),
      todo: `The content of the backup is kept in ${join(folder, 'earlier', name)}.`,
    },
  ])
  await opened.end()
  const again = await hostIn(folder)
  expect([titlesOf(again), noticesOf(again)]).toEqual([['Mine'], []])
})

it('a backup on which a host started stays, and the earlier data is kept next to it', async () => {
  const folder = await acceptedIn(await backupWith(async () => {}))
  const opened = await hostIn(folder)
  expect([titlesOf(opened), noticesOf(opened)]).toMatchObject([['Theirs'], [{ code: 'restored' }]])
  await opened.end()
  const again = await hostIn(folder)
  expect([titlesOf(again), noticesOf(again)]).toEqual([['Theirs'], []])
})

it('an invalid record is moved aside and named, and the rest opens', async () => {
  const folder = await temporaryFolder()
  const { conversations, close } = await storageIn(folder)
  const head = headOf('mine', { title: 'Mine' })
  await conversations.create(head)
  const event = { type: 'message.added', message: messageOf('m', 'Hello') } as const
  await conversations.write(
    ['m', 'n'].map((name) => ({ conversationId: head.id, event: { ...event, message: { ...event.message, id: id(name) } } })),
  )
  await close()
  inDatabase(
    folder,
    "INSERT INTO record (collection, key, json) VALUES ('consent-rule', 'r', '{'), ('settings', 'settings', 'null')",
  )
  inDatabase(folder, "UPDATE message SET json = replace(json, '\"parts\"', '\"partz\"') WHERE id = 'm'")
  const opened = await hostIn(folder)
  const topic = await opened.host.topics.follow(`conversation/${head.id}`, quiet)
  expect(topic?.value).toMatchObject({ messages: [{ id: 'n' }] })
  expect(noticesOf(opened)).toMatchObject([{ code: 'set-aside', said: '2 settings or rules, 1 message in “Mine”.' }])
  await opened.end()
  const again = await hostIn(folder)
  expect([titlesOf(again), noticesOf(again)]).toEqual([['Mine'], []])
})

it('a person can open the earlier copy after damage, and the damaged one is kept', async () => {
  const folder = await temporaryFolder()
  const { conversations, close } = await storageIn(folder)
  for (const name of ['mine', 'other']) await conversations.create(headOf(name, { title: name }))
  await new DailyCopies(layOut(folder), systemClock).makeIfDue()
  await conversations.create(headOf('later', { title: 'later' }))
  await close()
  inDatabase(folder, "DROP INDEX conversation_in_project; UPDATE conversation SET head = 'null' WHERE id = 'mine'")
  const opened = await hostIn(folder)
  expect(titlesOf(opened).sort()).toEqual(['later', 'other'])
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(Date.now())
  expect(noticesOf(opened)[0]?.todo).toContain(` A copy of ${day} may have what is missing: open it in Settings › Data.`)
  const { backups } = opened.host
  expect(await backups.read()).toMatchObject({ waiting: false, copy: { at: expect.any(Number) } })
  await backups.openCopy(signal)
  expect(await backups.read()).toMatchObject({ waiting: true })
  await backups.drop()
  expect(await backups.read()).toMatchObject({ waiting: false })
  await backups.openCopy(signal)
  await opened.end()
  const again = await hostIn(folder)
  expect(titlesOf(again).sort()).toEqual(['mine', 'other'])
  const [problem] = noticesOf(again)
  expect(problem).toMatchObject({ code: 'copy-opened', what: 'A copy of the database was opened.' })
  expect(await again.host.backups.read()).not.toHaveProperty('copy')
  await expect(again.host.backups.openCopy(signal)).rejects.toMatchObject({ code: 'not-found' })
  const kept = /kept in (.*)\.$/.exec(problem?.todo ?? '')?.[1] ?? ''
  await again.end()
  const before = new DatabaseSync(join(kept, 'parley.db'))
  expect(before.prepare("SELECT count(*) AS n FROM conversation WHERE id = 'later'").get()).toEqual({ n: 1 })
  before.close()
  const third = await hostIn(folder)
  expect([titlesOf(third).sort(), noticesOf(third)]).toEqual([['mine', 'other'], []])
})

it('the copy before damage is offered at later starts, beyond the daily copies, until the person removes it', async () => {
  const folder = await temporaryFolder()
  const { conversations, close } = await storageIn(folder)
  for (const name of ['mine', 'other']) await conversations.create(headOf(name, { title: name }))
  await new DailyCopies(layOut(folder), systemClock).makeIfDue()
  await close()
  inDatabase(folder, "DROP INDEX conversation_in_project; UPDATE conversation SET head = 'null' WHERE id = 'mine'")
  const opened = await hostIn(folder)
  const { copy } = await opened.host.backups.read()
  await opened.end()
  for (let day = 1; day <= 5; day++) {
    const clock = { ...systemClock, now: () => Date.now() + day * 24 * 3_600_000 }
    await new DailyCopies(layOut(folder), clock).makeIfDue()
  }
  const later = await hostIn(folder)
  expect(noticesOf(later)).toEqual([])
  expect((await later.host.backups.read()).copy).toEqual(copy)
  await later.host.backups.removeCopy()
  expect(await later.host.backups.read()).not.toHaveProperty('copy')
  await later.end()
  const last = await hostIn(folder)
  expect(await last.host.backups.read()).not.toHaveProperty('copy')
})

it('a damaged database is replaced by all that can be read of it, and the person is told what is missing', async () => {
  const folder = await temporaryFolder()
  const { conversations, close } = await storageIn(folder)
  for (const name of ['mine', 'other']) await conversations.create(headOf(name, { title: name }))
  await conversations.write([
    { conversationId: id('mine'), event: { type: 'message.added', message: messageOf('m', 'Hello there') } },
  ])
  await close()
  inDatabase(folder, "DROP INDEX conversation_in_project; UPDATE conversation SET head = 'null' WHERE id = 'mine'")
  inDatabase(folder, 'DELETE FROM message_words; DELETE FROM title_words')
  const opened = await hostIn(folder)
  expect(titlesOf(opened).sort()).toEqual(['Hello there', 'other'])
  const [name = ''] = await readdir(join(folder, 'earlier'))
  const kept = join(folder, 'earlier', name)
  expect(noticesOf(opened)).toEqual([
    {
      code: 'database-damaged',
      what: 'The database was damaged. Everything that could be read is in a new one.',
      said: 'Missing: 1 conversation in “Hello there”.',
      todo: `The damaged one is kept in ${kept}.`,
    },
  ])
  expect(existsSync(join(kept, 'parley.db'))).toBe(true)
  const { hits } = await opened.host.conversations.search('hello')
  expect(hits.map(({ head }) => head.title)).toEqual(['Hello there', 'Hello there'])
  await opened.end()
  const again = await hostIn(folder)
  expect([titlesOf(again).length, noticesOf(again)]).toEqual([2, []])
})
