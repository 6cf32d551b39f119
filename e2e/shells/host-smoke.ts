import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ServerConfig } from '../../src-shared/contract/servers.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'
import type { ConversationTopic, Topic } from '../../src-shared/contract/topics.ts'
import { stream, writePdf } from '../servers/pdf/write-pdf.mjs'
import { HttpServer } from '../servers/small/http-server.ts'
import { notesBundle } from '../support/bundle.ts'
import { fenceHere } from '../support/fence-here.ts'
import { startModelApi } from '../support/model-api.ts'
import { pngOf } from '../support/pictures.ts'
import { HostClient } from './host-client.ts'
import { startWebProcess } from './web-process.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface HostSmoke {
  /** The result of each real use, by its name. */
  readonly did: Readonly<Record<string, string>>
  /** The notices of the app: code and sentence. */
  readonly notices: readonly string[]
  /** Its whole output. */
  readonly output: string
  /** Files that its threads ran or read. */
  readonly loaded: ReadonlySet<string>
}

/** False where servers cannot be fenced. */
const fenced = await fenceHere()

/** The expected results of a complete build. */
const EXPECTED: Readonly<Record<string, string>> = {
  http: 'hello from afar',
  ...(fenced && { 'a named host': 'reached: ' }),
  unreachable: '"code":"port-closed"',
  sql: '"tables":["people"]',
  'draft-07': 'must match pattern',
  '2019-09': 'must match pattern',
  '2020-12': 'must match pattern',
  'config.toml': '"args":["toml"]',
  'config.yaml': '"args":["yaml"]',
  bundle: 'Reads your notes.',
  codex: '[mcp_servers.local]',
  goose: 'extensions:\n  local:',
  anthropic: '"text":"seen"',
  openai: '"text":"seen"',
  'openai-compatible': '"text":"seen"',
  'picture for anthropic': 'image/png;base64',
  'picture for responses': 'image/png;base64',
  'words of a file': '日本',
  search: 'marmalade',
}

/** Chunks that this host never loads, by the beginning of their names, with the reason. Each is run by itself. */
const APART: Readonly<Record<string, string>> = {
  electron: 'is the desktop app, which a test beside starts',
  'electron-updates': 'is loaded where a feed of updates is configured',
  'cross-spawn': 'starts programs on Windows',
  run: 'runs prompts of the command line, which a test beside starts',
  node: 'holds tools of an SDK for agents on servers, which nothing here asks for',
  ...(!fenced && { 'host-proxy': 'serves fenced servers', tunnel: 'connects fenced servers' }),
}

const TRAY = /^(tray|badge)/

/** Faults of the build's main folder: files that are unknown, not run, not read, or without the right result. */
export function problemsOf(out: string, { did, notices, loaded }: HostSmoke): string[] {
  const main = join(out, 'main')
  const problems = Object.entries(EXPECTED).flatMap(([name, wanted]) =>
    did[name]?.includes(wanted) ? [] : [`${name}: ${did[name]?.slice(0, 300)}`],
  )
  problems.push(...notices)
  for (const file of readdirSync(main, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))) {
    if (file === 'cmaps' || loaded.has(join(main, file))) continue
    const original = file.startsWith('cmaps/')
      ? `../../node_modules/pdfjs-dist/${file}`
      : TRAY.test(file) && `../../assets/icons/${file}`
    if (original && readFileSync(here(original)).equals(readFileSync(join(main, file)))) continue
    if (chunksApart(out).includes(file)) continue
    problems.push(`${file} is in the build, and nothing here uses it`)
  }
  return problems
}

/** Files of the build's main folder that its host does not load by itself. */
export function chunksApart(out: string): string[] {
  const chunk = /^(.+?)(?:-[\w-]{8})?\.js$/
  return readdirSync(join(out, 'main')).filter((file) => (chunk.exec(file)?.[1] ?? '') in APART)
}

/**
 * Starts the host of a build and does one real thing with each of its workers, WebAssembly modules and late chunks. `imports` are
 * loaded into it beforehand.
 */
export async function smokeHost(out: string, ...imports: readonly URL[]): Promise<HostSmoke> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-smoke-'))
  const noted = join(folder, 'loaded')
  const before = [...imports, new URL('../support/note-loaded.mjs', import.meta.url)].map(({ href }) => `--import ${href}`)
  const env = { NODE_OPTIONS: before.join(' '), NOTE_LOADED: noted }
  const far = await HttpServer.listen()
  const api = await startModelApi(() => ({ text: 'seen' }))
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true }), () => far.close(), () => api.close()]
  try {
    const shell = await startWebProcess(join(folder, 'data'), env, out)
    closing.push(() => shell.quit())
    const client = await HostClient.open(shell.link)
    closing.push(() => client.close())
    const did: Record<string, string> = {}
    const typed = await ready(client, {
      type: 'local',
      command: process.execPath,
      args: [here('../servers/small/typed.mjs')],
      env: {},
    })
    const remote = await ready(client, { type: 'remote', url: far.url, headers: {} })
    did.http = JSON.stringify((await client.request('server.call', { serverId: remote, tool: 'echo', arguments: {} })).content)
    if (fenced) {
      const program = { command: process.execPath, args: [here('../servers/small/reach.mjs')], env: {} }
      const fence = { network: { hosts: [new URL(far.url).host] }, folders: [] }
      const serverId = await ready(client, { type: 'local', ...program }, { fence })
      const args = { attempt: 'fetch', place: JSON.stringify({ url: far.url }) }
      const { content } = await client.request('server.call', { serverId, tool: 'try', arguments: args })
      did['a named host'] = JSON.stringify(content)
    }
    const { serverId: nowhere } = await client.request('server.add', {
      config: { name: 'nowhere', launch: { type: 'remote', url: 'http://127.0.0.1:1/mcp', headers: {} } },
    })
    await allowed(client, nowhere, 'failed')
    did.unreachable = JSON.stringify(await client.request('server.diagnose', { serverId: nowhere }))
    const sql = { sql: 'SELECT name FROM people' }
    const verdict = await client.request('consent.simulate', { serverId: typed, tool: 'query', arguments: sql })
    did.sql = JSON.stringify(verdict)
    for (const tool of ['draft-07', '2019-09', '2020-12']) {
      const wrong = await client.request('server.call', { serverId: typed, tool, arguments: { code: 'NO' } })
      const right = await client.request('server.call', { serverId: typed, tool, arguments: { code: 'yes' } })
      did[tool] = [...wrong.warnings, ...right.warnings].join('\n')
    }
    for (const [name, text] of Object.entries(CONFIGURATIONS)) {
      const review = await client.request('import.review', { from: { text, name } })
      did[name] = JSON.stringify(review)
    }
    const { upload } = await client.request('import.receive', { piece: notesBundle().toString('base64') })
    did.bundle = JSON.stringify(await client.request('import.review', { from: { bundle: upload, name: 'notes.mcpb' } }))
    for (const host of ['codex', 'goose'] as const)
      did[host] = (await client.request('server.export', { host, serverIds: [typed] })).text
    for (const [kind, model] of MODELS) {
      const config = { kind, name: kind, baseUrl: kind === 'anthropic' ? api.url : `${api.url}/v1` }
      const { id: provider } = await client.request('provider.add', { config, key: 'sk-test' })
      did[kind] = await ask(client, { provider, model })
    }
    for (const { api: name, body } of api.requests) {
      const said = JSON.stringify(body)
      if (!said.includes('wide.png')) continue // Asks for a title.
      did[`picture for ${name}`] = said.replace('"image/png","data":"', 'image/png;base64')
      if (name === 'chat') did['words of a file'] = said
    }
    did.search = JSON.stringify(await client.request('conversation.search', { query: 'marmalade' }))
    return {
      did,
      notices: client.host.notices.map(({ id, problem }) => `${id}: ${problem.what}`),
      output: shell.output(),
      loaded: new Set((await readFile(noted, 'utf8')).trim().split('\n')),
    }
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

const MODELS = [
  ['anthropic', 'claude-sonnet-5-5'],
  ['openai', 'gpt-5'],
  // This model takes no files, so it gets their text.
  ['openai-compatible', 'llama3.2'],
] as const
const CONFIGURATIONS = {
  'config.toml': '[mcp_servers.told]\ncommand = "node"\nargs = ["toml"]\n',
  'config.yaml': 'extensions:\n  told:\n    type: stdio\n    cmd: node\n    args: ["yaml"]\n    enabled: true\n',
}

async function ready(
  client: HostClient,
  launch: ServerConfig['launch'],
  options: ServerConfig['options'] = {},
): Promise<ServerId> {
  const { serverId } = await client.request('server.add', {
    config: { name: options.fence ? 'fenced' : launch.type, launch, options },
  })
  await allowed(client, serverId, 'ready')
  return serverId
}

/** Allows servers as they ask, until this one is ready. */
async function allowed(client: HostClient, serverId: ServerId, state: 'ready' | 'failed'): Promise<void> {
  const answered = new Set<string>()
  await client.until(() => {
    for (const { id, kind } of client.host.interactions) {
      if (kind !== 'server-trust' || answered.has(id)) continue
      answered.add(id)
      void client.request('interaction.answer', { id, kind, answer: { decision: 'allow' } })
    }
    return client.host.servers[serverId]?.state.is === state
  }, `a server to be ${state}`)
}

/** Sends a large picture and a Japanese file; resolves with the reply. */
async function ask(client: HostClient, model: ModelRef): Promise<string> {
  const { id } = await client.request('conversation.create', { model })
  const topic: Topic = `conversation/${id}`
  await client.follow(topic)
  const files = { 'wide.png': pngOf({ width: 4_000, height: 40 }), 'japanese.pdf': japanesePdf() }
  // A refused file shows as missing in the request.
  for (const [name, bytes] of Object.entries(files))
    await client.request('conversation.attachFile', { id, name, piece: bytes.toString('base64'), last: true }).catch(() => {})
  await client.request('conversation.send', { id, text: 'marmalade' })
  const reply = () => {
    const { messages = [], turn } = client.topics.get(topic) as ConversationTopic
    return turn && turn.status !== 'running' ? messages.at(-1) : undefined
  }
  const { parts, problem } = await client.until(reply, 'a reply')
  return JSON.stringify(problem ?? parts)
}

/** Its text needs a character map that the file names and does not contain. */
function japanesePdf(): Buffer {
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream('BT /F1 24 Tf 72 700 Td <93FA967B> Tj ET'),
    '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin /DW 1000 /FontDescriptor 7 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
    '<< /Type /FontDescriptor /FontName /Ryumin /Flags 4 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 0 1000 1000] >>',
  ])
}
