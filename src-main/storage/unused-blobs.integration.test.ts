import { open, readdir, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { headOf, messageOf, storageIn, temporaryFolder, toolCallOf } from '../../e2e/support/storage/temporary-storage.ts'
import { layOut } from './base/data-folder.ts'
import { BlobsFolder } from './blobs-folder.ts'
import { DailyCopies } from './daily-copies.ts'
import { replaceDatabase } from './rescue.ts'
import { UnusedBlobs } from './unused-blobs.ts'

const DAY = 24 * 3_600_000
const NOTHING = { count: 0, bytes: 0 }

/** As if all that is kept had been written days ago. */
async function age(folder: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY)
  const blobs = join(folder, 'blobs')
  for (const entry of await readdir(blobs, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), at, at)
  }
}

async function start(path: string, clock = new ManualClock(Date.now())) {
  const folder = layOut(path)
  const blobs = await BlobsFolder.open(folder.blobs)
  return { folder, blobs, clock, unused: new UnusedBlobs(folder, blobs, clock) }
}

it('content in use stays, and all other content can be freed once it is a day old', async () => {
  const path = await temporaryFolder()
  const storage = await storageIn(path)
  const { conversations, records } = storage
  const put = async (text: string) => (await storage.blobs.put(text, 'text/plain')).blob
  const named = await Promise.all(['message', 'call', 'extras', 'attachment', 'project', 'copied'].map(put))
  const [inMessage = '', inCall = '', inExtras = '', attached = '', ofProject = '', copied = ''] = named
  const whole = (blob: string) => ({ blob, bytes: 1, mimeType: 'text/plain' })
  const head = headOf('c')
  await conversations.create(head)
  const part = { type: 'text', text: 'head', whole: whole(inMessage) } as const
  const toolCall = toolCallOf('k', 'm', { status: 'finished', arguments: { json: '{', whole: whole(inCall) } as never })
  const attachment = { id: 'a', type: 'resource', title: 't', whole: whole(attached) }
  await conversations.write([
    {
      conversationId: head.id,
      event: { type: 'message.added', message: messageOf('m', '', { parts: [part] }) },
      extras: { inExtras },
    },
    { conversationId: head.id, event: { type: 'toolCall.changed', toolCall } },
    { conversationId: head.id, event: { type: 'attachments.changed', attachments: [attachment as never] } },
  ])
  // Another version of the message is shown.
  const { id: hideFrom } = messageOf('m', '')
  const edited = { type: 'message.added', message: messageOf('edited', 'words') } as const
  await conversations.change({ id: head.id, hideFrom, events: [edited] })
  await records.put('project', 'p', { files: [{ id: 'f', blob: ofProject }] } as never)
  await records.put('tool-definition', 'd', { json: copied })
  const loose = await Promise.all(['one', 'four'].map(put))
  await age(path, 3)
  const first = await start(path)
  await new DailyCopies(first.folder, first.clock).makeIfDue()
  // Only the copy mentions it now.
  await records.remove('tool-definition', 'd')
  const fresh = (await first.blobs.put('this run', 'text/plain')).blob
  expect(await first.unused.look()).toEqual({ count: 2, bytes: 7 })
  // It is about to be mentioned again.
  await first.blobs.put('four', 'text/plain')
  expect(await first.unused.look()).toEqual({ count: 1, bytes: 3 })
  expect(await first.unused.free()).toEqual({ count: 1, bytes: 3 })
  expect(await first.unused.look()).toEqual(NOTHING)
  const there = await Promise.all([...named, ...loose, fresh].map((blob) => storage.blobs.has(blob)))
  expect(there).toEqual([...named.map(() => true), false, true, true])
})

it('content is removed when it was out of use for a day', async () => {
  const path = await temporaryFolder()
  const storage = await storageIn(path)
  await storage.records.put('tool-definition', 'd', { json: 'x' })
  const { blob } = await storage.blobs.put('unused', 'text/plain')
  const has = () => storage.blobs.has(blob)
  await age(path, 30)
  const { unused, clock } = await start(path)
  await unused.tidy()
  clock.advance(DAY - 1)
  await unused.tidy()
  expect(await has()).toBe(true)
  // Mentioned again for a while: its day begins again.
  await storage.records.put('tool-definition', 'd', { json: blob })
  clock.advance(1)
  await unused.tidy()
  await storage.records.remove('tool-definition', 'd')
  clock.advance(DAY)
  await unused.tidy()
  expect(await has()).toBe(true)
  clock.advance(DAY)
  await unused.tidy()
  expect(await has()).toBe(false)
})

it('content of a damaged database that was kept stays, and everything else goes', async () => {
  const path = await temporaryFolder()
  const storage = await storageIn(path)
  await storage.conversations.create(headOf('c'))
  const put = async (text: string) => (await storage.blobs.put(text, 'text/plain')).blob
  // So many that several names lie across two pages of the database.
  const mentioned: string[] = []
  for (let n = 0; n < 400; n++) mentioned.push(await put(`mentioned ${n}`))
  // The second ends elsewhere in its page, so that other halves are lost.
  await storage.records.put('tool-definition', 'd', { json: mentioned.slice(0, 200).join(' ') })
  await storage.records.put('tool-definition', 'e', { json: `${mentioned.slice(200).join(' ')}${'-'.repeat(35)}` })
  const loose = await put('unused')
  await storage.close()
  await age(path, 30)
  const { folder, unused } = await start(path)
  const { kept } = await replaceDatabase(folder, Date.now(), { is: 'empty' })
  const file = await open(join(kept, 'parley.db'), 'r+')
  await file.write(Buffer.alloc(100), 0, 100, 0)
  await file.close()
  expect(await unused.free()).toEqual({ count: 1, bytes: 6 })
  const blobs = await BlobsFolder.open(folder.blobs)
  const there = await Promise.all(mentioned.map((blob) => blobs.has(blob)))
  expect(there).toEqual(mentioned.map(() => true))
  expect(await blobs.has(loose)).toBe(false)
})

it('content is not freed while the database itself cannot be read', async () => {
  const path = await temporaryFolder()
  const storage = await storageIn(path)
  await storage.conversations.create(headOf('c'))
  const { blob } = await storage.blobs.put('unused', 'text/plain')
  await storage.close()
  await age(path, 30)
  const { folder, unused } = await start(path)
  await truncate(folder.database, 5_000)
  await expect(unused.free()).rejects.toMatchObject({ code: 'corrupt' })
  expect(await (await BlobsFolder.open(folder.blobs)).has(blob)).toBe(true)
})
