import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MemoryFolder, memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { conversationId, headOf } from '../../../e2e/support/storage/temporary-storage.ts'
import type { LedgerStore, NewLedgerEntry } from '../base/storage.ts'
import { applyStep, MIGRATIONS } from './migrations.ts'
import type { Sqlite } from './sqlite.ts'

const c = conversationId('c')
const entryAt = (at: number, more: Partial<NewLedgerEntry> = {}): NewLedgerEntry => ({
  at,
  conversationId: c,
  serverId: 'files',
  serverName: 'My files',
  tool: 'read_file',
  arguments: `{"path":"/home/ann/shop/${at}.txt"}`,
  argumentsHash: 'ab',
  decision: 'allowed-by-person',
  why: 'You allowed it.',
  outcome: 'finished',
  ...more,
})

async function ledgerOf(entries: readonly NewLedgerEntry[]) {
  const folder = new MemoryFolder()
  const storage = memoryStorage(folder)
  for (const entry of entries) await storage.ledger.add(entry)
  return { ...storage, folder }
}

/** Ledgers of so many entries, changed past the product. */
async function tampered(count: number, change: (sqlite: Sqlite) => void) {
  const { ledger, folder } = await ledgerOf(Array.from({ length: count }, (_, n) => entryAt(n + 1)))
  folder.sqlite.exec('DROP TRIGGER ledger_unchanged; DROP TRIGGER ledger_kept')
  change(folder.sqlite)
  return ledger
}

async function checkAll(ledger: LedgerStore) {
  let entries = 0
  for (let after: number | undefined = 0; ; ) {
    const part = await ledger.check(after)
    entries += part.entries
    after = part.next
    if (after === undefined) return { entries, ...(part.broken && { broken: part.broken }) }
  }
}

async function exported(ledger: LedgerStore) {
  const parts: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part = await ledger.lines(after)
    parts.push(part.text)
    after = part.next
  }
  return parts
}

describe('the ledger', () => {
  it('keeps each decision as it was written, newest first (TOOL-10)', async () => {
    const { ledger, close, folder } = await ledgerOf([1, 2, 3].map((at) => entryAt(at)))
    await close()
    const page = await memoryStorage(folder).ledger.page({ limit: 10 })
    expect(page).toEqual({
      total: 3,
      items: [3, 2, 1].map((at) => ({ ...entryAt(at), number: at, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })),
    })
    await expect(ledger.page({ limit: 10 })).rejects.toMatchObject({ code: 'io' })
  })

  it('comes page by page, each entry once', async () => {
    const { ledger } = await ledgerOf(Array.from({ length: 23 }, (_, n) => entryAt(n)))
    const seen: number[] = []
    let before: number | undefined
    do {
      const page = await ledger.page({ limit: 7, ...(before !== undefined && { before }) })
      expect(page.total).toBe(23)
      seen.push(...page.items.map(({ number }) => number))
      before = page.next
    } while (before !== undefined)
    expect(seen).toEqual(Array.from({ length: 23 }, (_, n) => 23 - n))
  })

  it('finds words of servers, tools, arguments, decisions and reasons, ignoring case, page by page', async () => {
    const { ledger } = await ledgerOf([
      entryAt(1),
      entryAt(2, { serverId: 'mail', serverName: 'Büro', tool: 'send', decision: 'denied', why: 'You said no.' }),
      entryAt(3),
      entryAt(4, { arguments: '{"sql":"DROP TABLE orders -- 100%_"}', decision: 'denied-by-rule' }),
    ])
    const found = async (search: string) => (await ledger.page({ search, limit: 10 })).items.map(({ number }) => number)
    expect(await found('READ file')).toEqual([4, 3, 1])
    expect(await found('shop/3')).toEqual([3])
    expect(await found('buro')).toEqual([2])
    expect(await found('denied')).toEqual([4, 2])
    expect(await found('said no')).toEqual([2])
    expect(await found('drop order')).toEqual([4])
    expect(await found('%')).toEqual([])
    expect(await found('"; DROP TABLE ledger; --')).toEqual([])
    expect(await found('  ')).toEqual([4, 3, 2, 1])
    const first = await ledger.page({ search: 'read', limit: 2 })
    expect(first).toMatchObject({ total: 3, next: 3 })
    const rest = await ledger.page({ search: 'read', limit: 2, before: 3 })
    expect(rest.items.map(({ number }) => number)).toEqual([1])
    expect(rest.next).toBeUndefined()
  })

  it('is one chain for many parallel writers', async () => {
    const { ledger } = memoryStorage()
    await Promise.all(Array.from({ length: 50 }, (_, n) => ledger.add(entryAt(n))))
    expect(await checkAll(ledger)).toEqual({ entries: 50 })
    const { items } = await ledger.page({ limit: 50 })
    expect(new Set(items.map(({ at }) => at)).size).toBe(50)
  })

  it('accepts no change and no removal', async () => {
    const { ledger, folder } = await ledgerOf([entryAt(1)])
    expect(() => folder.sqlite.run("UPDATE ledger SET json = '{}'")).toThrow('only added to')
    expect(() => folder.sqlite.run('DELETE FROM ledger')).toThrow('only added to')
    expect(await checkAll(ledger)).toEqual({ entries: 1 })
  })

  it('outlives its conversation', async () => {
    const { conversations, ledger, folder, close } = await ledgerOf([entryAt(1)])
    await conversations.create(headOf('c'))
    await conversations.setRemoved(c, true)
    await close()
    const again = memoryStorage(folder)
    expect(await again.conversations.purgeRemoved()).toBe(1)
    expect((await again.ledger.page({ limit: 5 })).items).toMatchObject([
      { conversationId: 'c', arguments: entryAt(1).arguments },
    ])
    await expect(ledger.check(0)).rejects.toMatchObject({ code: 'io' })
  })
})

describe('the check of the chain', () => {
  it('goes through all of it, part by part', async () => {
    const { ledger, folder } = await ledgerOf([])
    expect(await ledger.check(0)).toEqual({ entries: 0, bytes: 0 })
    const { conversations: _conversations, ...rest } = memoryStorage(folder)
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => rest.ledger.add(entryAt(n))))
    expect(await ledger.check(0)).toMatchObject({ entries: 1_000, next: 1_000 })
    expect(await ledger.check(2_000)).toMatchObject({ entries: 500, bytes: expect.any(Number) })
    expect(await checkAll(ledger)).toEqual({ entries: 2_500 })
  })

  it('finds a changed entry', async () => {
    const ledger = await tampered(5, (sqlite) =>
      sqlite.run(`UPDATE ledger SET json = replace(json, 'allowed-by-person', 'denied') WHERE number = 3`),
    )
    expect(await checkAll(ledger)).toEqual({ entries: 2, broken: { number: 3, is: 'changed' } })
  })

  it('finds a changed entry whose hash was made to fit', async () => {
    const ledger = await tampered(5, (sqlite) => {
      const before = sqlite.get<{ hash: string }>('SELECT hash FROM ledger WHERE number = 2')?.hash
      const json = sqlite.get<{ json: string }>('SELECT json FROM ledger WHERE number = 3')?.json.replace('3.txt', '9.txt')
      sqlite.run('UPDATE ledger SET json = ?, hash = ? WHERE number = 3', json ?? '', sha256(`${before}${json}`))
    })
    expect(await checkAll(ledger)).toEqual({ entries: 3, broken: { number: 4, is: 'changed' } })
  })

  it('finds a removed entry, at either end and between', async () => {
    const without = (number: number) => tampered(5, (sqlite) => sqlite.run('DELETE FROM ledger WHERE number = ?', number))
    expect(await checkAll(await without(1))).toEqual({ entries: 0, broken: { number: 1, is: 'missing' } })
    expect(await checkAll(await without(4))).toEqual({ entries: 3, broken: { number: 4, is: 'missing' } })
    const shorter = await without(5)
    expect(await checkAll(shorter)).toEqual({ entries: 4, broken: { number: 5, is: 'missing' } })
    await shorter.add(entryAt(6))
    expect(await checkAll(shorter)).toEqual({ entries: 4, broken: { number: 5, is: 'missing' } })
  })

  it('finds two swapped entries', async () => {
    const ledger = await tampered(5, (sqlite) =>
      sqlite.exec(`
        UPDATE ledger SET number = 99 WHERE number = 2;
        UPDATE ledger SET number = 2 WHERE number = 3;
        UPDATE ledger SET number = 3 WHERE number = 99;
      `),
    )
    expect(await checkAll(ledger)).toEqual({ entries: 1, broken: { number: 2, is: 'changed' } })
  })

  it('finds an inserted entry', async () => {
    const ledger = await tampered(5, (sqlite) =>
      sqlite.exec(`
        UPDATE ledger SET number = number + 100 WHERE number > 2;
        INSERT INTO ledger SELECT 3, json, hash FROM ledger WHERE number = 2;
        UPDATE ledger SET number = number - 99 WHERE number > 100;
      `),
    )
    expect(await checkAll(ledger)).toEqual({ entries: 2, broken: { number: 3, is: 'changed' } })
  })
})

describe('the exported ledger', () => {
  it('can be verified with SHA-256 and JSON alone', async () => {
    const strange = entryAt(7, { arguments: '{"text":"a \\"quoted\\"\\nline, 明日, \\ud800"}', tool: 'ünï' })
    const { ledger } = await ledgerOf([...Array.from({ length: 450 }, (_, n) => entryAt(n)), strange])
    const parts = await exported(ledger)
    expect(parts.length).toBeGreaterThan(2)
    const lines = parts.join('').trimEnd().split('\n')
    expect(lines).toHaveLength(451)

    const sorted = (entry: object) =>
      JSON.stringify(Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))))
    let before = '0'.repeat(64)
    for (const [at, line] of lines.entries()) {
      const { entry, hash } = JSON.parse(line)
      expect(entry.number).toBe(at + 1)
      expect(sha256(before + sorted(entry))).toBe(hash)
      before = hash
    }
  })

  it('comes in bounded parts, however long the arguments are', async () => {
    const long = `{"text":"${'x'.repeat(8_000)}"}`
    const { ledger } = await ledgerOf(Array.from({ length: 150 }, (_, n) => entryAt(n, { arguments: long })))
    const parts = await exported(ledger)
    for (const part of parts) expect(part.length).toBeLessThan(600 * 1024)
    expect(parts.join('').trimEnd().split('\n')).toHaveLength(150)
    const { ledger: none } = await ledgerOf([])
    expect(await exported(none)).toEqual([''])
  })
})

describe('a ledger from before the chain', () => {
  it('is chained in its order, marked, and continued', async () => {
    const folder = new MemoryFolder([])
    for (const step of MIGRATIONS.slice(0, 2)) applyStep(folder.sqlite, step)
    const old = (at: number) => ({
      at,
      serverId: 'echo',
      tool: 'say',
      argumentsHash: 'ab',
      decision: 'denied',
      outcome: 'declined',
    })
    for (const at of [1, 2, 3]) folder.sqlite.run('INSERT INTO ledger (json) VALUES (?)', JSON.stringify(old(at)))
    for (const step of MIGRATIONS.slice(2)) folder.sqlite.transaction(() => applyStep(folder.sqlite, step))
    const { ledger } = memoryStorage(folder)
    await ledger.add(entryAt(4))
    expect(await checkAll(ledger)).toEqual({ entries: 4 })
    expect((await ledger.page({ limit: 10 })).items.map(({ hash: _hash, ...entry }) => entry)).toEqual([
      { ...entryAt(4), number: 4 },
      ...[3, 2, 1].map((at) => ({ ...old(at), number: at, chainedLater: true })),
    ])
    expect((await ledger.page({ search: 'say', limit: 10 })).total).toBe(3)
    expect(folder.sqlite.all("SELECT name FROM sqlite_master WHERE name = 'ledger_before'")).toEqual([])
  })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
