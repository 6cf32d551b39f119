// The official Inspector's web client, as its users start it, on a catalog and a home of its own.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/run.mjs'

const NAME = '@modelcontextprotocol/inspector'
export const INSPECTOR = `${NAME}@2.12.0`

/** Fetched into a temporary folder, and kept there: with what it needs it has 110 MB. Gives its program, or undefined without a registry. */
function install() {
  const folder = join(tmpdir(), `parley-bench-${INSPECTOR.replaceAll(/[@/]+/g, '-')}`)
  const program = join(folder, 'node_modules', NAME, 'clients', 'launcher', 'build', 'index.js')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', INSPECTOR]
  spawnSync('npm', args, { stdio: 'ignore', shell: process.platform === 'win32' })
  return existsSync(program) ? program : undefined
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Resolves with its link, token included; with undefined where it cannot be had. */
export async function startInspector(mcpServers) {
  const program = install()
  if (!program) return undefined
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const catalog = join(home, 'catalog.json')
  writeFileSync(catalog, JSON.stringify({ mcpServers }))
  const own = { HOME: home, MCP_STORAGE_DIR: join(home, 'storage'), MCP_AUTO_OPEN_ENABLED: 'false' }
  const ports = { CLIENT_PORT: String(await freePort()), MCP_SANDBOX_PORT: String(await freePort()) }
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), [program, '--catalog', catalog], {
    env: { ...process.env, ...own, ...ports, MCP_INSPECTOR_SECRET_STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  const link = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk
      const [found] = /http:\S+MCP_INSPECTOR_API_TOKEN=\w+/.exec(output) ?? []
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then((code) => reject(new Error(`The Inspector ended with ${code}: ${output}`)))
  })
  return {
    link,
    async end() {
      child.kill()
      await ended
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
