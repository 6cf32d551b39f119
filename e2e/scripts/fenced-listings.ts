// Installs widely used servers of npm, starts each open and in the fence that is proposed, with made-up keys, and writes the tools that it
// lists into out/fenced-listings.md. `node e2e/scripts/fenced-listings.ts`; a word after it for those whose name contains it.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { until } from '../support/until.ts'
import { ServerHost } from '../test-hosts/server-host.ts'
import { root } from './run.mjs'

/** Package, then its arguments and variables with a value. “FOLDER” is one of the person's. */
const SERVERS = `
@modelcontextprotocol/server-memory MEMORY_FILE_PATH=FOLDER/memory.jsonl
@playwright/mcp
chrome-devtools-mcp
@upstash/context7-mcp
@modelcontextprotocol/server-filesystem FOLDER
@modelcontextprotocol/server-sequential-thinking
@modelcontextprotocol/server-postgres postgresql://localhost/x
@modelcontextprotocol/server-everything
@modelcontextprotocol/server-gitlab GITLAB_PERSONAL_ACCESS_TOKEN=x
@modelcontextprotocol/server-github GITHUB_PERSONAL_ACCESS_TOKEN=x
@modelcontextprotocol/server-google-maps GOOGLE_MAPS_API_KEY=x
@modelcontextprotocol/server-slack SLACK_BOT_TOKEN=xoxb-x SLACK_TEAM_ID=T1
@modelcontextprotocol/server-brave-search BRAVE_API_KEY=x
@notionhq/notion-mcp-server NOTION_TOKEN=ntn_x
tavily-mcp TAVILY_API_KEY=tvly-x
@circleci/mcp-server-circleci CIRCLECI_TOKEN=x
next-devtools-mcp
mongodb-mcp-server
@zereight/mcp-gitlab GITLAB_PERSONAL_ACCESS_TOKEN=x
firecrawl-mcp FIRECRAWL_API_KEY=fc-x
figma-developer-mcp --stdio FIGMA_API_KEY=x
@eslint/mcp
@mastra/mcp-docs-server
@antv/mcp-server-chart
@hubspot/mcp-server PRIVATE_APP_ACCESS_TOKEN=pat-x
@perplexity-ai/mcp-server PERPLEXITY_API_KEY=x
@shortcut/mcp SHORTCUT_API_TOKEN=x
@drawio/mcp
@mobilenext/mobile-mcp
@brave/brave-search-mcp-server BRAVE_API_KEY=x
mcp-server-code-runner
@aashari/mcp-server-atlassian-jira ATLASSIAN_SITE_NAME=x ATLASSIAN_USER_EMAIL=x@example.com ATLASSIAN_API_TOKEN=x
@browsermcp/mcp
exa-mcp-server EXA_API_KEY=x
@shopify/dev-mcp
@softeria/ms-365-mcp-server
@mapbox/mcp-server MAPBOX_ACCESS_TOKEN=pk.eyJ1IjoieCJ9.x
mcp-server-kubernetes
@brightdata/mcp API_TOKEN=x
@openbnb/mcp-server-airbnb
@cyanheads/git-mcp-server
airtable-mcp-server AIRTABLE_API_KEY=pat.x
@roychri/mcp-server-asana ASANA_ACCESS_TOKEN=x
@negokaz/excel-mcp-server
@mui/mcp
mcp-searxng SEARXNG_URL=http://localhost:8888
@sylphx/pdf-reader-mcp
mcp-deepwiki
@winor30/mcp-server-datadog DATADOG_API_KEY=x DATADOG_APP_KEY=x
@supabase/mcp-server-supabase --access-token=sbp_x
@wonderwhy-er/desktop-commander
@gongrzhe/server-gmail-autoauth-mcp
@cocal/google-calendar-mcp
@apify/actors-mcp-server APIFY_TOKEN=x
@stripe/mcp --api-key=sk_test_x
@benborla29/mcp-server-mysql
@angular/cli mcp
@kazuph/mcp-taskmanager
@coo-quack/calc-mcp
mcp-server-commands
repomix --mcp
`

/** A server that takes longer is named, and the next one is tried. */
const INSTALL_MS = 150_000
const START_MS = 60_000
const run = promisify(execFile)
const [word = ''] = process.argv.slice(2)
const lines = SERVERS.trim().split('\n')
const table = ['| package | lists open | in its fence | network | folders |', '| --- | --- | --- | --- | --- |']
await mkdir(join(root, 'out'), { recursive: true })
for (const [at, line] of lines.entries()) {
  const [name = '', ...words] = line.split(' ')
  if (!name.includes(word)) continue
  const row = await tried(name, words).catch((error: Error) => `could not be tried: ${firstLine(error.message)} |`)
  table.push(`| \`${name}\` | ${row}`)
  await writeFile(join(root, 'out/fenced-listings.md'), `${table.join('\n')}\n`)
  console.log(`${at + 1}/${lines.length} ${name}: ${row}`)
}

/** The other cells of its row. */
async function tried(name: string, words: readonly string[]): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'parley-listing-'))
  const [home, folder, data] = ['home', 'home/work', 'data'].map((one) => join(place, one)) as [string, string, string]
  await mkdir(folder, { recursive: true })
  const parley = await ServerHost.start(data, { environment: { ...process.env, HOME: home } })
  try {
    await run('npm', ['install', '--prefix', place, '--no-audit', '--no-fund', '--silent', name], {
      timeout: INSTALL_MS,
      killSignal: 'SIGKILL',
    })
    const installed = join(place, 'node_modules', name)
    const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    const program = typeof bin === 'string' ? bin : (bin[name.split('/').at(-1) ?? ''] ?? Object.values(bin)[0])
    const given = words.map((one) => one.replace('FOLDER', folder))
    const isVariable = (one: string) => /^[A-Z\d_]+=/.test(one)
    const env = Object.fromEntries(
      given.filter(isVariable).map((one) => [one.slice(0, one.indexOf('=')), { text: one.slice(one.indexOf('=') + 1) }]),
    )
    const args = [join(installed, program), ...given.filter((one) => !isVariable(one))]
    const launch = { type: 'local' as const, command: process.execPath, args, env }
    const published = { ...launch, command: 'npx', args: ['-y', name, ...args.slice(1)] }
    const { open, proposal } = await parley.host.servers.fences.about(
      { launch: published, program: undefined, published: name },
      [],
    )
    const listed = await list(parley, 'open', launch)
    const fenced = await list(parley, 'fenced', launch, proposal)
    const network = typeof proposal.network === 'string' ? proposal.network : proposal.network.hosts.join(', ')
    const folders = proposal.folders.map((one) => one.path.replace(folder, 'that of its command line')).join(', ')
    return [
      Array.isArray(listed) ? `${listed.length} tools` : listed,
      Array.isArray(fenced) ? (String(fenced) === String(listed) ? 'the same' : `${fenced.length} tools`) : fenced,
      ...(open === undefined ? [network, folders || 'only its own'] : [`left open: ${open}`, '']),
      '',
    ].join(' | ')
  } finally {
    await parley.end()
    await rm(place, { recursive: true, force: true })
  }
}

/** Names of its tools, or the reason why it did not start. */
async function list(
  parley: ServerHost,
  name: string,
  launch: Parameters<ServerHost['ready']>[1],
  fence?: FencePolicy,
): Promise<readonly string[] | string> {
  const { serverId } = await parley.host.servers.edits.add({ name, launch, options: fence ? { fence } : {} })
  await parley.answer(name, 'allow')
  const started = () => {
    const { state } = parley.record(name)
    return state.is === 'ready' || state.is === 'failed' ? state : undefined
  }
  const state = await until(started, `${name} to start`, START_MS).catch(() => undefined) // The cell says so.
  const tools = parley.host.servers.configured.find(serverId)?.tools() ?? []
  const listed =
    state?.is === 'ready'
      ? tools.map(({ tool }) => tool.name).toSorted()
      : `does not start: ${firstLine(state?.problem.what ?? `no answer in ${START_MS / 1000} s`)}`
  await parley.host.servers.controls.stop(serverId)
  return listed
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replaceAll('|', '/').slice(0, 160)
}
