import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { Root } from '../../src-shared/mcp/primitives.ts'
import { type Connected, connect, officialStdio } from '../support/everything.ts'
import { until } from '../support/until.ts'

let folder: string
const open: Connected[] = []

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-official-')))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((connected) => connected.end()))
  await rm(folder, { recursive: true, force: true })
})

async function meet(transport: Transport, roots?: { list: readonly Root[] }) {
  const features = roots ? { roots: { list: async () => ({ roots: roots.list }) } } : {}
  const connected = await connect(transport, { features })
  open.push(connected)
  const call = (name: string, args: JsonObject) => connected.client.callTool(name, args, { signal: connected.signal })
  return { client: connected.client, call }
}

const textOf = (result: Awaited<ReturnType<Awaited<ReturnType<typeof meet>>['call']>>) =>
  result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')

describe('server-filesystem over stdio', () => {
  const names = ({ client }: Awaited<ReturnType<typeof meet>>) => client.catalog.value.tools.map(({ tool }) => tool.name)

  it('lists its tools with schemas and hints, all of them usable (TOOL-01, TRAN-01)', async () => {
    const server = await meet(officialStdio('server-filesystem', [folder]))
    expect(names(server)).toEqual(expect.arrayContaining(['read_text_file', 'write_file', 'list_directory', 'search_files']))
    expect(server.client.catalog.value.tools.filter(({ unusable }) => unusable !== undefined)).toEqual([])
    expect(server.client.catalog.value.problems).toEqual([])
    expect(server.client.catalog.tool('read_text_file')?.tool.annotations?.readOnlyHint).toBe(true)
  })

  it('writes, reads, edits and searches real files', async () => {
    const { call } = await meet(officialStdio('server-filesystem', [folder]))
    const path = join(folder, 'grüße.txt')
    await call('write_file', { path, content: 'eins\nzwei 👋\n' })
    expect(await readFile(path, 'utf8')).toBe('eins\nzwei 👋\n')
    expect(textOf(await call('read_text_file', { path }))).toBe('eins\nzwei 👋\n')
    await call('edit_file', { path, edits: [{ oldText: 'zwei', newText: 'drei' }] })
    expect(await readFile(path, 'utf8')).toContain('drei 👋')
    expect(textOf(await call('list_directory', { path: folder }))).toContain('[FILE] grüße.txt')
    expect(textOf(await call('search_files', { path: folder, pattern: '**/*.txt' }))).toContain(path)
  })

  it('reads a picture as an image with its type (SCHEMA-18)', async () => {
    const { call } = await meet(officialStdio('server-filesystem', [folder]))
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    await writeFile(join(folder, 'dot.png'), bytes)
    const result = await call('read_media_file', { path: join(folder, 'dot.png') })
    const picture = result.content.find(({ type }) => type === 'image')
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png', data: bytes.toString('base64') })
  })

  it('refuses what is outside its folders, as a result that says so (TOOL-20)', async () => {
    const { call } = await meet(officialStdio('server-filesystem', [folder]))
    const result = await call('read_text_file', { path: '/etc/hostname' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/denied/i)
  })

  it('works in the folders it gets as roots, and in others after a change (ROOT-03, ROOT-04)', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    for (const path of [first, second]) {
      await mkdir(path)
      await writeFile(join(path, 'name.txt'), path)
    }
    const roots = { list: [{ uri: pathToFileURL(first).href, name: 'first' }] }
    const { client, call } = await meet(officialStdio('server-filesystem', []), roots)
    const reads = async (path: string) => (await call('read_text_file', { path: join(path, 'name.txt') })).isError !== true
    await until(() => reads(first), 'the first root to be allowed')
    expect(await reads(second)).toBe(false)
    roots.list = [{ uri: pathToFileURL(second).href, name: 'second' }]
    client.rootsChanged()
    await until(() => reads(second), 'the second root to be allowed')
    expect(await reads(first)).toBe(false)
  })
})

describe('server-memory over stdio', () => {
  const start = () => officialStdio('server-memory', [], undefined, { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') })

  it('keeps what it is told in a file, and another process finds it', async () => {
    const first = await meet(start())
    await first.call('create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }],
    })
    await first.call('add_observations', { observations: [{ entityName: 'Ada', contents: ['liked horses'] }] })
    expect(await readFile(join(folder, 'memory.jsonl'), 'utf8')).toContain('liked horses')
    await open.shift()?.end()
    const second = await meet(start())
    expect(textOf(await second.call('search_nodes', { query: 'horses' }))).toContain('Ada')
  })

  it('returns structured content that fits its schema (TOOL-23, TOOL-24)', async () => {
    const { call } = await meet(start())
    await call('create_entities', { entities: [{ name: 'Bob', entityType: 'person', observations: [] }] })
    const graph = await call('read_graph', {})
    expect(graph.structuredContent).toMatchObject({ entities: [{ name: 'Bob', entityType: 'person' }], relations: [] })
    expect(graph.warnings).toEqual([])
  })
})
