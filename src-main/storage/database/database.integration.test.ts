import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  conversationId,
  headOf,
  id,
  messageOf,
  startChild,
  storageIn,
  temporaryFolder,
  testLifetime,
} from '../../../e2e/support/storage/temporary-storage.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { openStorage } from '../open-storage.ts'
import { Database } from './database.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { Sqlite } from './sqlite.ts'

describe('the database', () => {
  it('loses nothing confirmed when the process is killed in mid-write', async () => {
    const folder = await temporaryFolder()
    const { child, nextLine } = startChild('write', folder)
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let resolved = 0
    while (resolved < 25) resolved = Number(await nextLine())
    child.kill('SIGKILL')
    // Lines that were already in the pipe resolved too.
    for (;;) {
      const line = await nextLine().catch(() => undefined)
      if (line === undefined) break
      resolved = Number(line)
    }
    await exited

    const storage = await storageIn(folder)
    const topic = await storage.conversations.open(conversationId('c'), 10)
    const part = topic?.messages[0]?.parts[0]
    const text = part?.type === 'text' ? part.text : ''
    const whole = Array.from({ length: resolved + 1 }, (_, n) => `<${n}>`).join('')
    expect(text.startsWith(whole)).toBe(true)
    // A write that did not resolve is there as a whole or not at all.
    expect(text.slice(whole.length)).toMatch(/^(<\d+>)*$/)
    const records = await storage.records.all('tool-definition')
    for (let n = 0; n <= resolved; n += 1) expect(records.has(`record-${n}`)).toBe(true)
    for (let n = 0; n <= resolved; n += 10) {
      expect(await storage.secrets.get(`secret-${n}`)).toBe('value')
      const { blob } = await storage.blobs.put(`blob-${n}`, 'text/plain')
      expect(await storage.blobs.text(blob, 0, 100)).toEqual({ text: `blob-${n}` })
    }
    expect(await storage.conversations.markInterrupted(9)).toEqual(['c'])
    expect((await storage.conversations.open(conversationId('c'), 10))?.messages[0]?.status).toBe('interrupted')
    expect((await storage.conversations.head(conversationId('c')))?.turn).toBe('idle')
  })

  it('keeps a message and its new version each with its reply when the process is killed in mid-edit', async () => {
    const folder = await temporaryFolder()
    const { child, nextLine } = startChild('versions', folder)
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let resolved = 0
    while (resolved < 25) resolved = Number(await nextLine())
    child.kill('SIGKILL')
    await exited
    const { conversations } = await storageIn(folder)
    const topic = await conversations.open(conversationId('c'), 10)
    const versions = topic?.versions?.[0]?.ids ?? []
    const last = versions.length - 1
    expect(last).toBeGreaterThanOrEqual(resolved)
    expect(topic?.messages.map((message) => message.id)).toEqual(['first', `ask ${last}`, `reply ${last}`])
    await conversations.change({ id: conversationId('c'), show: id('ask 7') })
    const before = await conversations.open(conversationId('c'), 10)
    expect(before?.messages.map((message) => message.id)).toEqual(['first', 'ask 7', 'reply 7'])
  })

  it('of a newer program is refused and not touched', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parley.db')
    const newer = new DatabaseSync(file)
    newer.exec('CREATE TABLE future (x); PRAGMA user_version = 99')
    newer.close()
    const before = await readFile(file)
    await expect(storageIn(folder)).rejects.toMatchObject({
      code: 'newer-version',
      message: expect.stringContaining('newer Parley'),
    })
    expect(await readFile(file)).toEqual(before)
  })

  it('that is unreadable is refused, unchanged, and replaced by what the person chose', async () => {
    const folder = await temporaryFolder()
    const first = await storageIn(folder)
    await first.conversations.create(headOf('c', { title: 'kept' }))
    for (let n = 0; n < 50; n += 1) {
      const message = messageOf(`m${n}`, 'word '.repeat(500))
      await first.conversations.write([{ conversationId: conversationId('c'), event: { type: 'message.added', message } }])
    }
    await first.close()
    const file = join(folder, 'parley.db')
    const bytes = await readFile(file)
    bytes.fill(0x5a, 0, bytes.length - 4096)
    await writeFile(file, bytes)
    await expect(storageIn(folder)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('nothing was changed'),
      damaged: {},
    })
    expect(await readFile(file)).toEqual(bytes)
    const empty = await openStorage({
      ...{ folder, shell: 'web', clock: systemClock, lifetime: testLifetime() },
      replace: { is: 'empty' },
    })
    const kept = empty.damage.replaced?.kept ?? ''
    expect(kept).toContain(join(folder, 'earlier'))
    expect(await readFile(join(kept, 'parley.db'))).toEqual(bytes)
    expect((await empty.conversations.heads({ limit: 9 })).total).toBe(0)
    await empty.settled()
    await empty.close()
    await storageIn(folder)
  })

  it('reports a full disk, keeps its data, and accepts changes again when there is room', async () => {
    const folder = await temporaryFolder()
    const lifetime = testLifetime()
    const files = { file: join(folder, 'parley.db'), copies: join(folder, 'copies') }
    const database = await Database.open({ ...files, maxBytes: 400_000 }, lifetime)
    await database.stores.records.put('tool-definition', 'small', { json: 'kept' })
    const tooMuch = database.stores.records.put('tool-definition', 'large', { json: 'x'.repeat(1_000_000) })
    await expect(tooMuch).rejects.toMatchObject({ code: 'full', message: expect.stringContaining('Free some space') })
    await database.stores.records.put('tool-definition', 'after', { json: 'kept' })
    expect([...(await database.stores.records.all('tool-definition')).keys()]).toEqual(['small', 'after'])
  })

  it('writes all of a change or nothing of it', async () => {
    const { conversations } = await storageIn(await temporaryFolder())
    await conversations.create(headOf('c'))
    const good = {
      conversationId: conversationId('c'),
      event: { type: 'message.added', message: messageOf('m', 'one') },
    } as const
    const bad = { conversationId: conversationId('nowhere'), event: good.event }
    await expect(conversations.write([good, bad])).rejects.toMatchObject({ code: 'io' })
    expect((await conversations.open(conversationId('c'), 10))?.messages).toEqual([])
    const titled = headOf('c', { title: 'Never' })
    await expect(conversations.change({ id: bad.conversationId, head: titled, events: [bad.event] })).rejects.toMatchObject({
      code: 'io',
    })
    expect((await conversations.head(conversationId('c')))?.title).toBe('')
    await expect(
      conversations.change({ id: bad.conversationId, head: headOf('new'), events: [bad.event] }),
    ).rejects.toMatchObject({ code: 'io' })
    expect((await conversations.heads({ limit: 9 })).items.map((head) => head.id)).toEqual(['c'])
  })

  it('finishes pending requests before it closes, and refuses later ones', async () => {
    const folder = await temporaryFolder()
    const storage = await storageIn(folder)
    const writes = Array.from({ length: 50 }, (_, n) => storage.conversations.create(headOf(`c${n}`)))
    const closed = storage.close()
    await Promise.all([...writes, closed])
    await expect(storage.conversations.head(conversationId('c1'))).rejects.toMatchObject({ code: 'io' })
    const again = await storageIn(folder)
    expect((await again.conversations.heads({ limit: 1 })).total).toBe(50)
  })

  it('writes one chain of the ledger for many parallel requests', async () => {
    const folder = await temporaryFolder()
    const storage = await storageIn(folder)
    const entry = (at: number) =>
      ({ at, serverId: 'echo', tool: 'say', argumentsHash: 'ab', decision: 'free', outcome: 'finished' }) as const
    await Promise.all(Array.from({ length: 50 }, (_, n) => storage.ledger.add(entry(n))))
    await storage.close()
    const again = await storageIn(folder)
    await again.ledger.add(entry(50))
    expect(await again.ledger.check(0)).toEqual({ entries: 51, bytes: expect.any(Number) })
  })

  it('keeps records by collection and key, in their order of arrival', async () => {
    const folder = await temporaryFolder()
    const first = await storageIn(folder)
    const process = (pid: number) => ({ pid, startedAt: `at ${pid}`, serverId: 'echo' })
    for (const pid of [9, 1, 5]) await first.records.put('process', String(pid), process(pid))
    await first.records.put('process', '9', { ...process(9), serverId: 'other' })
    await first.records.remove('process', '1')
    await first.records.put('tool-definition', '9', { json: '{}' })
    await first.close()
    const second = await storageIn(folder)
    expect([...(await second.records.all('process'))]).toEqual([
      ['9', { ...process(9), serverId: 'other' }],
      ['5', process(5)],
    ])
  })
})

describe('migrations', () => {
  const open = async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parley.db')
    const sqlite = new Sqlite(file)
    onTestFinished(() => sqlite.close())
    return { sqlite, file, copies: join(folder, 'copies') }
  }
  const steps = [
    'CREATE TABLE thing (name TEXT)',
    'ALTER TABLE thing ADD COLUMN size INTEGER',
    'CREATE INDEX by_name ON thing (name)',
  ]

  it('run in order, each after a copy of the data', async () => {
    const { sqlite, file, copies } = await open()
    migrate(sqlite, file, copies, steps.slice(0, 1))
    sqlite.run('INSERT INTO thing VALUES (?)', 'kept')
    migrate(sqlite, file, copies, steps)
    expect(sqlite.get('SELECT name, size FROM thing')).toEqual({ name: 'kept', size: null })
    expect((await readdir(copies)).sort()).toEqual(['parley-format-1.db', 'parley-format-2.db'])
    for (const name of await readdir(copies)) expect((await stat(join(copies, name))).mode & 0o777).toBe(0o600)
    const copy = new Sqlite(join(copies, 'parley-format-1.db'), { readOnly: true })
    expect(copy.get('SELECT * FROM thing')).toEqual({ name: 'kept' })
    copy.close()
  })

  it('leave the database as it was when a step fails', async () => {
    const { sqlite, file, copies } = await open()
    migrate(sqlite, file, copies, steps.slice(0, 1))
    expect(() => migrate(sqlite, file, copies, [steps[0]!, 'CREATE TABLE half (x); CREATE TABLE half (x)'])).toThrow()
    expect(sqlite.get('PRAGMA user_version')).toEqual({ user_version: 1 })
    expect(sqlite.all("SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([])
  })

  it('keep conversations from before projects, which can then be in one and archived', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parley.db')
    const before = new Sqlite(file)
    migrate(before, file, join(folder, 'copies'), MIGRATIONS.slice(0, 3))
    const old = headOf('old', { title: 'From long ago' })
    const { sequence: _none, ...written } = old
    before.run('INSERT INTO conversation (id, head, updated_at) VALUES (?, ?, ?)', old.id, JSON.stringify(written), 1)
    before.run('INSERT INTO title_words (rowid, text) VALUES (1, ?)', old.title)
    const record = { folders: [{ path: '/notes' }] }
    const put = (collection: string, key: string, json: string) =>
      before.run('INSERT INTO record VALUES (?, ?, ?)', collection, key, json)
    put('conversation-folders', 'old', JSON.stringify(record))
    put('conversation-folders', 'purged', JSON.stringify(record))
    put('draft', 'old', JSON.stringify({ text: 'Half a “sentence”', at: 7 }))
    put('draft', 'purged', JSON.stringify({ text: 'gone' }))
    put('draft', 'new', JSON.stringify({ text: 'not yet', at: 8 }))
    before.close()

    const { conversations, records, search, states } = await storageIn(folder)
    expect((await conversations.heads({ limit: 9, archived: false, project: null })).items).toEqual([old])
    expect((await search.find('long ago', 9)).map(({ head }) => head)).toEqual([old])
    const place = { ...record, hosts: [], recipients: [] }
    expect(await states.of(old.id)).toEqual({ place, draft: 'Half a “sentence”' })
    expect(await states.drafts()).toEqual({ old: 'Half a “sentence”' })
    expect([...(await records.all('draft'))]).toEqual([['new', { text: 'not yet', at: 8 }]])
    await conversations.change({ id: old.id, head: { ...old, project: id('garden'), archived: true } })
    expect((await conversations.heads({ limit: 9, archived: true, project: id('garden') })).total).toBe(1)
    expect((await conversations.heads({ limit: 9, archived: false })).total).toBe(0)
    expect((await conversations.heads({ limit: 9, project: null })).total).toBe(0)
    await conversations.leaveProject(id('garden'))
    expect(await conversations.head(old.id)).toEqual({ ...old, archived: true })
  })

  it('put older conversations in the order in which they were written, whatever the clock said', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parley.db')
    const before = new Sqlite(file)
    migrate(before, file, join(folder, 'copies'), MIGRATIONS.slice(0, 4))
    const create = (name: string, at: number) =>
      before.run(
        'INSERT INTO conversation (id, head, updated_at) VALUES (?, ?, ?)',
        ...[name, JSON.stringify({ ...headOf(name, { updatedAt: at }), sequence: undefined }), at],
      )
    let said = 0
    const say = (name: string) =>
      before.run("INSERT INTO message (conversation, id, status, json) VALUES (?, ?, 'done', '{}')", name, `m${said++}`)
    create('nothing before it', 1)
    create('future', 2_100_000_000_000)
    say('future')
    create('early', 2)
    say('early')
    create('empty', 3)
    create('late', 4)
    say('late')
    say('early')
    before.close()
    const { conversations } = await storageIn(folder)
    const { items } = await conversations.heads({ limit: 9 })
    expect(items.map((head) => head.id)).toEqual(['early', 'late', 'empty', 'future', 'nothing before it'])
  })

  it('show every older message, none as a version of another', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parley.db')
    const before = new Sqlite(file)
    migrate(before, file, join(folder, 'copies'), MIGRATIONS.slice(0, 8))
    for (const name of ['a', 'b']) {
      const head = JSON.stringify({ ...headOf(name), sequence: undefined })
      before.run('INSERT INTO conversation (id, head, updated_at) VALUES (?, ?, 1)', name, head)
    }
    for (const [conversation, name] of [
      ['a', 'one'],
      ['b', 'other'],
      ['a', 'two'],
    ] as const) {
      const json = JSON.stringify(messageOf(name, name))
      before.run("INSERT INTO message (conversation, id, status, json) VALUES (?, ?, 'done', ?)", conversation, name, json)
    }
    before.close()
    const { conversations } = await storageIn(folder)
    const a = conversationId('a')
    const edited = { type: 'message.added', message: messageOf('again', 'two, but better') } as const
    await conversations.change({ id: a, hideFrom: id('two'), events: [edited] })
    const topic = await conversations.open(a, 10)
    expect(topic?.messages.map((message) => message.id)).toEqual(['one', 'again'])
    expect(topic?.versions).toEqual([{ after: 'one', ids: ['two', 'again'] }])
    expect((await conversations.open(conversationId('b'), 10))?.messages.map((message) => message.id)).toEqual(['other'])
  })

  it('are not repeated', async () => {
    const { sqlite, file, copies } = await open()
    migrate(sqlite, file, copies)
    migrate(sqlite, file, copies)
    expect(sqlite.get('PRAGMA user_version')).toEqual({ user_version: MIGRATIONS.length })
  })
})
