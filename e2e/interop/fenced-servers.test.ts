import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fenceHere } from '../support/fence-here.ts'
import { until } from '../support/until.ts'
import { ServerHost, temporaryFolder } from '../test-hosts/server-host.ts'

const here = await fenceHere()
const LONG = process.env.PARLEY_LONG === '1'
const DOWNLOAD_MS = 240_000
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url))

interface Published {
  readonly name: string
  /** The file that starts it, where the tests have it installed. */
  readonly program?: string
  readonly args?: readonly string[]
  /** Its folder is in its command line, or the person names it for the fence. */
  readonly folder?: 'argument' | 'named'
  readonly env?: (folder: string) => Readonly<Record<string, { readonly text: string }>>
  readonly files?: Readonly<Record<string, string>>
  readonly tool: string
  readonly given: (folder: string) => Record<string, unknown>
  readonly says: string
}

const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj',
  'trailer<</Root 1 0 R>>',
].join('\n')

/** Each as its readme starts it, and a call that does its work: docs/fenced-servers.md. */
const PUBLISHED: readonly Published[] = [
  {
    name: '@modelcontextprotocol/server-filesystem',
    program: 'dist/index.js',
    folder: 'argument',
    tool: 'list_directory',
    given: (folder) => ({ path: folder }),
    says: 'note.txt',
  },
  {
    name: '@modelcontextprotocol/server-memory',
    program: 'dist/index.js',
    tool: 'create_entities',
    given: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: [] }] }),
    says: 'Ada',
  },
  {
    name: '@modelcontextprotocol/server-everything',
    program: 'dist/index.js',
    tool: 'echo',
    given: () => ({ message: 'fenced' }),
    says: 'Echo: fenced',
  },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    program: 'dist/index.js',
    tool: 'sequentialthinking',
    given: () => ({ thought: 'fenced', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    says: 'thoughtHistoryLength',
  },
  { name: 'time-mcp', program: 'dist/index.js', tool: 'current_time', given: () => ({ format: 'YYYY-MM-DD' }), says: 'UTC' },
  { name: '@angular/cli', args: ['mcp'], tool: 'get_best_practices', given: () => ({}), says: 'Angular' },
  { name: '@coo-quack/calc-mcp', program: 'dist/index.js', tool: 'math', given: () => ({ expression: '6*7' }), says: '42' },
  {
    name: '@cyanheads/git-mcp-server',
    folder: 'named',
    tool: 'git_init',
    given: (folder) => ({ path: join(folder, 'repo') }),
    says: '"success": true',
  },
  {
    name: '@drawio/mcp',
    program: 'src/index.js',
    tool: 'open_drawio_mermaid',
    given: () => ({ content: 'graph TD; A-->B' }),
    says: 'diagrams.net',
  },
  {
    name: '@eslint/mcp',
    folder: 'named',
    files: { 'eslint.config.mjs': 'export default []', 'a.js': 'debugger\n' },
    tool: 'lint-files',
    given: (folder) => ({ filePaths: [join(folder, 'a.js')] }),
    says: 'results of running ESLint',
  },
  {
    name: '@kazuph/mcp-taskmanager',
    program: 'dist/index.js',
    tool: 'request_planning',
    given: () => ({ originalRequest: 'fenced', tasks: [{ title: 'one', description: 'first' }] }),
    says: '"planned"',
  },
  { name: '@mobilenext/mobile-mcp', tool: 'mobile_list_available_devices', given: () => ({ noParams: {} }), says: '"devices"' },
  {
    name: 'mcp-hello-world',
    program: 'build/stdio.js',
    tool: 'echo',
    given: () => ({ message: 'fenced' }),
    says: 'You said: fenced',
  },
  {
    name: 'mcp-server-code-runner',
    program: 'dist/cli.js',
    tool: 'run-code',
    given: () => ({ code: 'console.log(6*7)', languageId: 'javascript' }),
    says: '42',
  },
  { name: 'mcp-server-commands', tool: 'run_command', given: () => ({ command: "echo fen''ced" }), says: 'fenced' },
  {
    name: 'repomix',
    args: ['--mcp'],
    folder: 'named',
    tool: 'pack_codebase',
    given: (folder) => ({ directory: folder }),
    says: 'Successfully packed',
  },
  {
    name: '@allpepper/memory-bank-mcp',
    env: (folder) => ({ MEMORY_BANK_ROOT: { text: folder } }),
    tool: 'memory_bank_write',
    given: () => ({ projectName: 'own', fileName: 'note.md', content: 'fenced' }),
    says: 'written successfully',
  },
  {
    name: '@itseasy21/mcp-knowledge-graph',
    env: (folder) => ({ MEMORY_FILE_PATH: { text: join(folder, 'memory.jsonl') } }),
    tool: 'create_entities',
    given: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: [] }] }),
    says: 'Ada',
  },
  {
    name: '@sylphx/pdf-reader-mcp',
    folder: 'named',
    files: { 'a.pdf': PDF },
    tool: 'read_pdf',
    given: (folder) => ({ sources: [{ path: join(folder, 'a.pdf') }], include_page_count: true }),
    says: '"num_pages": 1',
  },
  {
    name: '@modelcontextprotocol/server-budget-allocator',
    args: ['--stdio'],
    tool: 'get-budget-data',
    given: () => ({}),
    says: 'Default Budget',
  },
  {
    name: '@modelcontextprotocol/server-scenario-modeler',
    args: ['--stdio'],
    tool: 'get-scenario-data',
    given: () => ({}),
    says: 'Bootstrapped Growth',
  },
]

it.skipIf(!here)(
  'ten published servers list and answer behind a fence as without one (HOUSE-32)',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'note.txt'), 'fenced')
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: await temporaryFolder() } })
    const fence = {
      network: 'none' as const,
      folders: [
        { path: folder, write: true },
        { path: dirname(process.execPath), write: false },
      ],
    }
    // Memory keeps its notes beside its program unless it is told a file.
    const env = { MEMORY_FILE_PATH: { text: join(folder, 'memory.jsonl') } }
    const installed = PUBLISHED.filter(({ program }) => program)
    expect(installed).toHaveLength(10)
    for (const server of installed) {
      const { name, program, tool, given, says } = server
      const args = [
        join(packages, name, program ?? ''),
        ...(server.args ?? []),
        ...(server.folder === 'argument' ? [folder] : []),
      ]
      const id = await parley.ready(name, { type: 'local' as const, command: process.execPath, args, env })
      const listed = () =>
        parley.host.servers.configured
          .find(id)
          ?.tools()
          .map((one) => one.tool)
      const open = listed()
      await parley.host.servers.controls.setOptions(id, { fence })
      await parley.until(name, 'ready')
      expect(parley.host.servers.configured.find(id)?.offline).toBe('with-folders')
      expect(listed()).toEqual(open)
      expect(await parley.call(id, tool, given(folder) as Record<string, string>)).toContain(says)
    }
  },
)

it.skipIf(!here || !LONG).each(PUBLISHED)(
  '$name from the registry does its work in the fence that is proposed',
  async (server) => {
    const folder = await temporaryFolder()
    const files = { 'note.txt': 'fenced', ...server.files }
    for (const [file, said] of Object.entries(files)) await writeFile(join(folder, file), said)
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: await temporaryFolder() } })
    const args = ['-y', server.name, ...(server.args ?? []), ...(server.folder === 'argument' ? [folder] : [])]
    const launch = { type: 'local' as const, command: 'npx', args, env: server.env?.(folder) ?? {} }
    const { suggestions } = await parley.host.servers.fences.about({ launch, program: undefined, published: server.name }, [])
    const folders = server.folder === 'named' ? [{ path: folder, write: true }] : suggestions
    const options = { fence: { network: 'none' as const, folders } }
    const { serverId: id } = await parley.host.servers.edits.add({ name: 'published', launch, options })
    await parley.answer('published', 'allow')
    await until(() => parley.record('published').state.is === 'ready', `${server.name} to be downloaded and ready`, DOWNLOAD_MS)
    expect(await parley.call(id, server.tool, server.given(folder) as Record<string, string>)).toContain(server.says)
  },
  DOWNLOAD_MS + 60_000,
)
