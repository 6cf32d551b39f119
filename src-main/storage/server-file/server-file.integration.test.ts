import { writeFileSync } from 'node:fs'
import { mkdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { temporaryFolder, testLifetime } from '../../../e2e/support/storage/temporary-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import type { JsonValue } from '../../../src-shared/base/json.ts'
import { McpFile } from './server-file.ts'

const echo = { type: 'local', command: 'echo', args: [], env: {} } as const
/** A reference to the secret store, as the file holds it. */
const secret = (name: string) => `\${secret:${name}}`
const remote = { type: 'remote', url: 'https://example.com/mcp', headers: {} } as const

async function fileWith(content?: string | object) {
  const folder = await temporaryFolder()
  const path = join(folder, 'mcp.json')
  if (content !== undefined) await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  const clock = new ManualClock()
  const file = await McpFile.open(path, clock, testLifetime())
  return {
    folder,
    path,
    clock,
    file,
    text: () => readFile(path, 'utf8'),
    json: async () => JSON.parse(await readFile(path, 'utf8')),
  }
}

/** Lets the quiet time after an edit pass, once the edit was noticed. */
async function settle(clock: ManualClock, done: () => boolean): Promise<void> {
  await until(() => {
    clock.advance(1_000)
    return done()
  }, 'the edit to be followed')
}

const launchOf = async (entry: JsonValue) => (await fileWith({ mcpServers: { x: entry } })).file.current().entries[0]
const problemOf = async (entry: JsonValue) => (await launchOf(entry))?.problem?.what

describe('mcp.json', () => {
  it('is created when the first server is saved, readable by its owner only (SEC-06)', async () => {
    const { file, path, json } = await fileWith()
    expect(file.current()).toEqual({ entries: [] })
    await expect(stat(path)).rejects.toThrow()
    await file.put('echo', echo)
    expect(await json()).toEqual({ mcpServers: { echo: { command: 'echo' } } })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(file.current()).toEqual({ entries: [{ name: 'echo', launch: echo }] })
  })

  it('is closed to others when it was open to them (SEC-06)', async () => {
    const { path } = await fileWith({ mcpServers: {} })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is read in the form that other hosts write', async () => {
    const { file } = await fileWith({
      mcpServers: {
        everything: {
          command: 'npx',
          args: ['-y', 'everything'],
          env: { KEY: 'plain', TOKEN: secret('everything/TOKEN') },
          cwd: '/tmp',
        },
        docs: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: secret('docs/Authorization') } },
        old: { serverUrl: 'http://localhost:3000/sse', disabled: true, alwaysAllow: ['everything'] },
        plain: { type: 'stdio', command: 'server' },
      },
    })
    expect(file.current().entries).toEqual([
      {
        name: 'everything',
        launch: {
          type: 'local',
          command: 'npx',
          args: ['-y', 'everything'],
          env: { KEY: { text: 'plain' }, TOKEN: { secret: 'everything/TOKEN' } },
          cwd: '/tmp',
        },
      },
      {
        name: 'docs',
        launch: { type: 'remote', url: 'https://example.com/mcp', headers: { Authorization: { secret: 'docs/Authorization' } } },
      },
      { name: 'old', launch: { type: 'remote', url: 'http://localhost:3000/sse', headers: {} }, disabled: true },
      { name: 'plain', launch: { type: 'local', command: 'server', args: [], env: {} } },
    ])
  })

  it('lets one bad entry fail alone and says which key is wrong', async () => {
    expect(await problemOf(5)).toContain('it must be an object')
    expect(await problemOf({})).toContain('it needs "command" (a program) or "url" (a remote server)')
    expect(await problemOf({ command: 'a', url: 'https://b' })).toContain('both "command" and "url"')
    expect(await problemOf({ command: ['npx'] })).toContain('"command" must be a text in double quotes, not a list')
    expect(await problemOf({ command: ' ' })).toContain('"command" is empty')
    expect(await problemOf({ command: 'a', args: '-y' })).toContain('"args" must be a list, not a string')
    expect(await problemOf({ command: 'a', args: ['-p', 80] })).toContain(
      'item 2 of "args" must be a text in double quotes, not a number',
    )
    expect(await problemOf({ command: 'a', env: { PORT: 80 } })).toContain(
      '"PORT" in "env" must be a text in double quotes, not a number',
    )
    expect(await problemOf({ command: 'a', env: { 'A=B': 'x' } })).toContain('"A=B" in "env" is not a usable name')
    expect(await problemOf({ command: 'a\0b' })).toContain('NUL')
    expect(await problemOf({ command: 'a', type: 'http' })).toContain('"type" must be "stdio"')
    expect(await problemOf({ url: 'ftp://example.com' })).toContain('"url" must be an http or https address')
    expect(await problemOf({ url: 'javascript:alert(1)' })).toContain('"url" must be an http or https address')
    expect(await problemOf({ url: 'https://a', type: 'ws' })).toContain('"type" must be "http"')
    expect(await problemOf({ url: 'https://a', headers: { 'X Y': 'z' } })).toContain('"X Y" in "headers" is not a usable name')
    expect(await problemOf({ url: 'https://a', headers: { X: 'a\r\nB: c' } })).toContain('"X" in "headers" must be on one line')
    const { file } = await fileWith(
      '{"mcpServers": {"a": {"command": 7}, "b": {"command": "b"}, "b": {"command": "c"}, "d": {"command": "d"}}}',
    )
    expect(file.current().problem).toBeUndefined()
    expect(file.current().entries.map(({ name, problem }) => [name, problem?.code])).toEqual([
      ['a', 'bad-entry'],
      ['b', 'bad-entry'],
      ['d', undefined],
    ])
  })

  it('refuses a name that the form would refuse, and still knows its launch for a rename', async () => {
    const { file } = await fileWith('{"mcpServers": {"a\\u202eb": {"command": "a"}}}')
    expect(file.current().entries).toMatchObject([
      { launch: { command: 'a' }, problem: { what: expect.stringContaining('cannot hold invisible characters') } },
    ])
  })

  it('treats hostile names as names', async () => {
    const { file } = await fileWith(
      '{"mcpServers": {"__proto__": {"command": "a", "env": {"__proto__": "x"}}, "constructor": {"command": "b"}, "": {"command": "c"}}}',
    )
    const [proto, built, empty] = file.current().entries
    expect(proto?.name).toBe('__proto__')
    expect(Object.entries(proto?.launch?.type === 'local' ? proto.launch.env : {})).toEqual([['__proto__', { text: 'x' }]])
    expect(built?.launch).toMatchObject({ command: 'b' })
    expect(empty?.problem?.code).toBe('bad-entry')
    expect(proto?.problem?.what).toContain('is taken by Parley itself.')
    await file.put('__proto__', echo)
    await file.remove('constructor')
    expect(file.current().entries.map(({ name }) => name)).toEqual(['__proto__', ''])
  })

  it('keeps order, indent, unknown keys and all bytes that a save does not concern', async () => {
    const before = `{
    "theme": "dark",   "mcpServers": {
        "b": { "command":"b" , "alwaysAllow": [ "x" ], "args": ["1"], "timeout": 6e4 },
        "7": {"command": "seven"}
    },
    "other": [1,
      2]
}`
    const { file, text } = await fileWith(before)
    await file.put('b', { type: 'local', command: 'new', args: ['1'], env: { K: { secret: 'b/K' } } })
    const saved = before
      .replace('"command":"b"', '"command":"new"')
      .replace('"timeout": 6e4 }', `"timeout": 6e4, "env": {\n            "K": "${secret('b/K')}"\n        } }`)
    expect(await text()).toBe(saved)
    await file.put('a', remote)
    expect(await text()).toBe(
      saved.replace(
        '{"command": "seven"}',
        '{"command": "seven"},\n        "a": {\n            "url": "https://example.com/mcp"\n        }',
      ),
    )
    await file.remove('a')
    expect(await text()).toBe(saved)
    expect(file.current().entries.map(({ name }) => name)).toEqual(['b', '7'])
  })

  it('is not rewritten by a save that changes nothing', async () => {
    const { file, path } = await fileWith('{"mcpServers":{"echo":{"command":"echo","args":[],"env":{}}}}')
    const { ino } = await stat(path)
    await file.put('echo', echo)
    await file.remove('nobody')
    expect((await stat(path)).ino).toBe(ino)
  })

  it('changes a program into a remote server and back, unknown keys kept', async () => {
    const { file, json } = await fileWith({ mcpServers: { x: { type: 'stdio', command: 'a', args: ['b'], env: {}, note: 1 } } })
    await file.put('x', { ...remote, headers: { Authorization: { text: 'Bearer abc' } } })
    expect(await json()).toEqual({
      mcpServers: { x: { note: 1, url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc' } } },
    })
    await file.put('x', echo)
    expect(await json()).toEqual({ mcpServers: { x: { note: 1, command: 'echo' } } })
  })

  it('returns a removed entry to its place, unknown keys included, once', async () => {
    const content = { mcpServers: { a: { command: 'a' }, b: { command: 'b', note: { deep: [1] } }, c: { command: 'c' } } }
    const { file, text } = await fileWith(content)
    const before = await text()
    await file.remove('b')
    expect(file.current().entries.map(({ name }) => name)).toEqual(['a', 'c'])
    expect(await file.restore('b')).toBe(true)
    expect(JSON.parse(await text())).toEqual(content)
    expect(Object.keys(JSON.parse(await text()).mcpServers)).toEqual(Object.keys(JSON.parse(before).mcpServers))
    expect(await file.restore('b')).toBe(false)
    await file.remove('b')
    await file.put('b', echo)
    await expect(file.restore('b')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('follows edits by hand, in place and by rename, once per edit', async () => {
    const { file, path, clock } = await fileWith({ mcpServers: {} })
    const names: string[][] = []
    file.onChange((state) => names.push(state.entries.map(({ name }) => name)))
    await writeFile(path, '{"mcpServers": {"a": {"command": "a"}}}')
    await settle(clock, () => names.length === 1)
    await writeFile(`${path}.new`, '{"mcpServers": {"b": {"command": "b"}}}')
    await rename(`${path}.new`, path)
    await settle(clock, () => names.length === 2)
    await rm(path)
    await settle(clock, () => names.length === 3)
    expect(names).toEqual([['a'], ['b'], []])
  })

  it('reports a save once', async () => {
    const { file, clock } = await fileWith({ mcpServers: {} })
    let fired = 0
    file.onChange(() => {
      fired += 1
    })
    await file.put('echo', echo)
    await until(() => clock.pending > 0, 'the watch to notice the save')
    clock.advance(1_000)
    await file.put('echo', echo)
    expect(fired).toBe(1)
  })

  it('merges a save with an edit by hand that was not noticed yet', async () => {
    const { file, path, json } = await fileWith({ mcpServers: { a: { command: 'a' } } })
    await writeFile(path, '{"mcpServers": {"a": {"command": "by hand"}, "b": {"command": "b"}}, "mine": true}')
    await file.put('c', echo)
    expect(await json()).toEqual({
      mcpServers: { a: { command: 'by hand' }, b: { command: 'b' }, c: { command: 'echo' } },
      mine: true,
    })
    expect(file.current().entries.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('keeps parallel saves', async () => {
    const { file, json } = await fileWith()
    await Promise.all(Array.from({ length: 20 }, (_, n) => file.put(`s${n}`, echo)))
    expect(Object.keys((await json()).mcpServers)).toHaveLength(20)
  })

  it('that does not parse keeps its last good servers, is never overwritten, and is read once repaired', async () => {
    const { file, path, clock, text } = await fileWith({ mcpServers: { a: { command: 'a' } } })
    const broken = '{\n  "mcpServers": {\n    // mine\n    "a": { "command": "a" }\n  }\n}'
    await writeFile(path, broken)
    await settle(clock, () => file.current().problem !== undefined)
    expect(file.current().problem).toMatchObject({ code: 'unparsable', said: 'line 3, column 5: JSON has no comments' })
    expect(file.current().entries.map(({ name }) => name)).toEqual(['a'])
    const refusal = { code: 'unparsable', message: expect.stringMatching(/line 3, column 5.*Nothing was saved/s) }
    await expect(file.put('b', echo)).rejects.toMatchObject(refusal)
    await expect(file.remove('a')).rejects.toMatchObject(refusal)
    expect(await text()).toBe(broken)
    await writeFile(path, '{"mcpServers": {"z": {"command": "z"}}}')
    await settle(clock, () => file.current().problem === undefined)
    expect(file.current().entries.map(({ name }) => name)).toEqual(['z'])
    await file.put('b', echo)
    expect(file.current().entries.map(({ name }) => name)).toEqual(['z', 'b'])
  })

  it('keeps its last good servers at a start when it does not parse', async () => {
    for (const broken of ['', '{"mcpServers": [', '[]', '{"mcpServers": 5}', ' '.repeat(5 * 1024 * 1024)]) {
      const { path } = await fileWith({ mcpServers: { a: { command: 'a' } } })
      await writeFile(path, broken)
      const again = await McpFile.open(path, new ManualClock(), testLifetime())
      expect(again.current()).toMatchObject({ entries: [{ name: 'a' }], problem: { code: 'unparsable' } })
      await expect(again.put('b', echo)).rejects.toThrow()
      expect(await readFile(path, 'utf8')).toBe(broken)
    }
  })

  it('may be a symbolic link, which stays: its target is written and followed', async () => {
    const folder = await temporaryFolder()
    const real = join(folder, 'dotfiles', 'mcp.json')
    const path = join(folder, 'data', 'mcp.json')
    await Promise.all([mkdir(join(folder, 'dotfiles')), mkdir(join(folder, 'data'))])
    await symlink('../dotfiles/mcp.json', path)
    const clock = new ManualClock()
    const file = await McpFile.open(path, clock, testLifetime())
    await file.put('echo', echo)
    expect(await readlink(path)).toBe('../dotfiles/mcp.json')
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ mcpServers: { echo: { command: 'echo' } } })
    await writeFile(real, '{"mcpServers": {"by-hand": {"command": "x"}}}')
    await settle(clock, () => file.current().entries[0]?.name === 'by-hand')
    await writeFile(join(folder, 'dotfiles', 'other.json'), '{"mcpServers": {"other": {"command": "x"}}}')
    await rm(path)
    await symlink('../dotfiles/other.json', path)
    await settle(clock, () => file.current().entries[0]?.name === 'other')
    await writeFile(join(folder, 'dotfiles', 'other.json'), '{"mcpServers": {"last": {"command": "x"}}}')
    await settle(clock, () => file.current().entries[0]?.name === 'last')
  })

  it('leaves no moved secret in its copy (SEC-18)', async () => {
    const withKey = (value: string) => ({ mcpServers: { x: { command: 'x', env: { KEY: value } } } })
    const { file, folder } = await fileWith(withKey('sk-hush'))
    const copy = () => readFile(join(folder, 'mcp.last-good.json'), 'utf8')
    expect(JSON.parse(await copy())).toEqual(withKey('sk-hush'))
    expect((await stat(join(folder, 'mcp.last-good.json'))).mode & 0o777).toBe(0o600)
    await file.put('x', { type: 'local', command: 'x', args: [], env: { KEY: { secret: 'x/KEY' } } })
    expect(JSON.parse(await copy())).toEqual(withKey(secret('x/KEY')))
  })

  it('saves nothing after the data folder was closed', async () => {
    const path = join(await temporaryFolder(), 'mcp.json')
    const lifetime = testLifetime()
    const file = await McpFile.open(path, new ManualClock(), lifetime)
    await lifetime.end()
    await expect(file.put('echo', echo)).rejects.toMatchObject({ code: 'io' })
    await expect(stat(path)).rejects.toThrow()
  })

  it('gives up a save when another program keeps changing it', async () => {
    const { file, path } = await fileWith({ mcpServers: {} })
    let n = 0
    // Every look at the file, in the midst of a save, meets a new edit.
    const stop = file.onChange(() => {
      n += 1
      writeFileSync(path, `{"mcpServers": {"n${n}": {"command": "x"}}}`)
    })
    writeFileSync(path, '{"mcpServers": {"n0": {"command": "x"}}}')
    await expect(file.put('echo', echo)).rejects.toMatchObject({ code: 'conflict' })
    stop()
    expect(await readFile(path, 'utf8')).not.toContain('echo')
    await file.put('echo', echo)
    expect(file.current().entries.map(({ name }) => name)).toContain('echo')
  })
})
