import { StorageError } from '../../../src-main/storage/base/storage.ts'
import { openStorage } from '../../../src-main/storage/open-storage.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'

/** A second process for tests. `try` opens the folder and prints the result; `hold` keeps it open until its input ends; `write` writes without end and prints what was saved; `versions` edits without end. */
const [mode, folder = ''] = process.argv.slice(2)
const id = <Name extends string>(text: string) => text as Id<Name>
const opened = openStorage({
  folder,
  shell: 'electron',
  address: 'http://127.0.0.1:4321/#token=hush',
  clock: systemClock,
  lifetime: new Lifetime('child'),
})
if (mode === 'try') {
  console.log(
    await opened.then(
      () => 'opened',
      (error) => (error instanceof StorageError ? error.code : error),
    ),
  )
  process.exit()
}
const storage = await opened

if (mode === 'hold') {
  console.log('holding')
  process.stdin.once('data', async () => {
    await storage.closing()
    console.log('closing')
  })
  process.stdin.once('end', () => storage.close())
} else if (mode === 'versions') {
  const { conversations } = storage
  const conversation = id<'conversation'>('c')
  const added = (name: string) => {
    const message = { id: id<'message'>(name), turnId: id<'turn'>('t'), role: 'user', at: 1, parts: [], status: 'done' } as const
    return { type: 'message.added', message } as const
  }
  const head = { id: conversation, title: 'c', createdAt: 1, updatedAt: 1, model: DEMO_MODEL, turn: 'idle' } as const
  await conversations.change({ id: conversation, head, events: [added('first'), added('ask 0'), added('reply 0')] })
  for (let n = 1; ; n += 1) {
    const hideFrom = id<'message'>(`ask ${n - 1}`)
    await conversations.change({ id: conversation, hideFrom, events: [added(`ask ${n}`), added(`reply ${n}`)] })
    console.log(n)
  }
} else {
  const { conversations, records, blobs, secrets } = storage
  const conversation = id<'conversation'>('c')
  await conversations.create({ id: conversation, title: 'c', createdAt: 1, updatedAt: 1, model: DEMO_MODEL, turn: 'running' })
  const message = {
    id: id<'message'>('m'),
    turnId: id<'turn'>('t'),
    role: 'assistant',
    at: 1,
    parts: [],
    status: 'streaming',
  } as const
  await conversations.write([{ conversationId: conversation, event: { type: 'message.added', message } }])
  for (let n = 0; ; n += 1) {
    const grew = (text: string) => ({ type: 'message.grew', id: message.id, part: 'text', text }) as const
    await conversations.write([
      { conversationId: conversation, event: grew(`<${n}`) },
      { conversationId: conversation, event: grew('>') },
    ])
    await records.put('tool-definition', `record-${n}`, { json: '{}' })
    if (n % 10 === 0) {
      await blobs.put(`blob-${n}`, 'text/plain')
      await secrets.set(`secret-${n}`, 'value')
    }
    console.log(n)
  }
}
