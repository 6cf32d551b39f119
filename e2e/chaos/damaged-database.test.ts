import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BlobLinks } from '../../src-main/shells/blob-links.ts'
import { type OpenHost, openHost } from '../../src-main/shells/open-host.ts'
import { webPlatform } from '../../src-main/shells/web/web-platform.ts'
import { StorageError } from '../../src-main/storage/base/storage.ts'
import { openStorage } from '../../src-main/storage/open-storage.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { Random } from '../fuzz/random.ts'
import { HostClient } from '../shells/host-client.ts'
import { startWebProcess } from '../shells/web-process.ts'
import { headOf, messageOf, toolCallOf, turnOf } from '../support/storage/temporary-storage.ts'

const PAGE = 4096
const CONVERSATIONS = 14
const COPIES = Number(process.env.DAMAGED_COPIES ?? (process.env.PARLEY_LONG === '1' ? 40 : 8))
const SEEDS = process.env.PARLEY_LONG === '1' ? [4242, 1337] : [4242]

const above = mkdtempSync(join(tmpdir(), 'parley-damage-'))
const whole = join(above, 'whole')
/** The text of each conversation, by its id. */
const said = new Map<string, readonly string[]>()

/** Fourteen conversations with calls, turns, settings, rules and a ledger, and a copy of the day. */
beforeAll(async () => {
  const lifetime = new Lifetime('whole')
  const storage = await openStorage({ folder: whole, shell: 'web', clock: systemClock, lifetime })
  const { conversations, records, ledger } = storage
  for (let c = 0; c < CONVERSATIONS; c++) {
    const head = headOf(`c${c}`, { title: `Talk ${c}`, createdAt: c + 1, updatedAt: c + 1 })
    await conversations.create(head)
    const texts = Array.from({ length: 12 }, (_, n) => `Talk ${c}, message ${n}. ${`word${n} `.repeat(20 + 60 * (n % 5))}`)
    said.set(head.id, texts)
    const events = texts.flatMap((text, n) => [
      { type: 'message.added', message: messageOf(`m${n}`, text, { role: n % 2 ? 'assistant' : 'user' }) } as const,
      { type: 'toolCall.changed', toolCall: toolCallOf(`k${n}`, `m${n}`, { status: 'finished' }) } as const,
    ])
    const turn = turnOf('turn', { status: 'finished', finishedAt: 2 })
    await conversations.write([
      ...events.map((event) => ({ conversationId: head.id, event })),
      { conversationId: head.id, event: { type: 'turn.changed', turn } },
    ])
    await records.put('tool-definition', `definition ${c}`, { json: '{}'.repeat(200) })
    const entry = { at: c, serverId: 'echo', tool: 'say', argumentsHash: 'ab', decision: 'free', outcome: 'finished' } as const
    await ledger.add(entry)
  }
  await lifetime.end()
  // A host makes the copy once it runs.
  const first = await openHost(whole, webPlatform(new BlobLinks()), systemClock)
  await first.end()
})
afterAll(() => rmSync(above, { recursive: true, force: true }))

type Damage = (bytes: Buffer, random: Random) => string
const pageOf = (bytes: Buffer, random: Random) => random.below(bytes.length / PAGE) * PAGE
const randomBytes = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))
const WAYS: readonly Damage[] = [
  (bytes, random) => {
    const at = random.below(bytes.length - 64)
    randomBytes(random, 64).copy(bytes, at)
    return `64 bytes at ${at}`
  },
  (bytes, random) => {
    const at = pageOf(bytes, random)
    bytes.fill(0, at, at + PAGE)
    return `zeros in page ${at / PAGE}`
  },
  (bytes, random) => {
    const at = pageOf(bytes, random)
    randomBytes(random, PAGE).copy(bytes, at)
    return `noise in page ${at / PAGE}`
  },
  (bytes, random) => {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return `one bit of byte ${at}`
  },
]

interface Found {
  readonly titles: readonly string[]
  readonly notices: readonly string[]
  /** Messages that are gone, by conversation. */
  readonly gone: number
  readonly started: 'at once' | 'with a copy'
}

async function open(folder: string): Promise<{ opened: OpenHost; started: Found['started'] }> {
  const start = (options = {}) => openHost(folder, webPlatform(new BlobLinks()), systemClock, options)
  try {
    return { opened: await start(), started: 'at once' }
  } catch (error) {
    if (!(error instanceof StorageError) || !error.damaged?.copy) throw error
    // The person's choice.
    const { name } = error.damaged.copy
    return { opened: await start({ replace: { is: 'copy', name } }), started: 'with a copy' }
  }
}

async function look(folder: string): Promise<Found> {
  const { opened, started } = await open(folder)
  const { host } = opened
  try {
    let gone = 0
    const titles = host.state.snapshot.conversations.map(({ title }) => title)
    for (const [id, texts] of said) {
      const topic = await host.topics.follow(`conversation/${id as ConversationId}`, () => {})
      const value = topic?.value as ConversationTopic | undefined
      gone += texts.length - (value?.messages.length ?? 0)
      topic?.stop()
    }
    await host.conversations.search('word')
    // It takes a message as before.
    const { id } = await host.conversations.create()
    await host.conversations.open(id, (one) => one.rename('New'))
    await opened.storage.ledger.check(0)
    return { titles, gone, started, notices: host.state.snapshot.notices.map(({ problem }) => problem.code) }
  } finally {
    await opened.end()
  }
}

for (const seed of SEEDS) {
  const limit = 20_000 * COPIES
  it(
    `Parley starts on each of ${COPIES} damaged databases and names what is missing (seed ${seed})`,
    async () => {
      const random = new Random(seed)
      const outcomes: string[] = []
      for (let n = 0; n < COPIES; n++) {
        const folder = join(above, `${seed}-${n}`)
        cpSync(whole, folder, { recursive: true })
        const file = join(folder, 'parley.db')
        const bytes = readFileSync(file)
        const way = WAYS[n % WAYS.length]?.(bytes, random)
        writeFileSync(file, bytes)
        const found = await look(folder).catch((error: unknown) => ({ failed: String(error) }))
        outcomes.push(`${n} ${way}: ${JSON.stringify(found)}`)
        if ('failed' in found) throw new Error(outcomes.join('\n'))
        const missing = found.gone > 0 || found.titles.length < CONVERSATIONS
        // Nothing goes in silence, and the next start finds it as this one left it.
        if (missing) expect(found.notices, outcomes.at(-1)).not.toEqual([])
        const again = await look(folder)
        expect({ ...again, titles: again.titles.filter((title) => title !== 'New') }, outcomes.at(-1)).toMatchObject({
          gone: found.gone,
          started: 'at once',
          notices: [],
        })
        rmSync(folder, { recursive: true, force: true })
      }
      if (process.env.DAMAGED_TELL) console.log(outcomes.join('\n'))
    },
    limit,
  )
}

it('the built web shell asks on a page when a database is unreadable, and starts with the daily copy', async () => {
  const folder = join(above, 'header')
  cpSync(whole, folder, { recursive: true })
  const file = join(folder, 'parley.db')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0, 0, PAGE))
  const answer = (what: string) => (link: string) =>
    fetch(`${link}/${what}`, { method: 'POST', headers: { origin: new URL(link).origin } })
  await expect(startWebProcess(folder, {}, undefined, answer('quit'))).rejects.toThrow('nothing was changed')
  expect(readFileSync(file)).toEqual(bytes)
  const shell = await startWebProcess(folder, {}, undefined, answer('start'))
  const client = await HostClient.open(shell.link)
  const { conversations, notices } = client.host
  expect(conversations.map(({ title }) => title).sort()).toEqual([...said.keys()].map((id) => `Talk ${id.slice(1)}`).sort())
  expect(notices).toMatchObject([{ problem: { code: 'database-damaged', what: expect.stringContaining('with the copy') } }])
  await client.close()
  expect(await shell.quit()).toBe(0)
  const [kept = ''] = readdirSync(join(folder, 'earlier'))
  expect(readFileSync(join(folder, 'earlier', kept, 'parley.db'))).toEqual(bytes)
})
