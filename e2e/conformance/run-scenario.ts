import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const OFFICIAL = '@modelcontextprotocol/conformance'
/** The newest official runner for a revision, and the older runner for the one it knows: how each runs all scenarios, and how it runs one. */
const RUNS = {
  '2025-11-25': { runner: OFFICIAL, all: ['--requirements', '2025-11-25'], one: ['--spec-version', '2025-11-25', '--force'] },
  '2026-07-28': { runner: OFFICIAL, all: ['--requirements', '2026-07-28'], one: ['--spec-version', '2026-07-28', '--force'] },
  older: { runner: 'conformance-older', all: ['--suite', 'all'], one: [] },
} as const
export type Run = keyof typeof RUNS

/** Clients that work at the same time. A runner starts all of them at once, and so many would keep each other waiting beyond their limits. */
const AT_ONCE = 3

export interface Checks {
  readonly passed: number
  /** Failures and warnings, in the runner's words. */
  readonly failed: readonly string[]
}

/** Runs the scenarios of a revision in one process of its official runner against our client, a file. */
export async function runScenarios(name: Run, client: string): Promise<ReadonlyMap<string, Checks>> {
  const gate = await openGate()
  try {
    const command = [join(import.meta.dirname, 'wait-for-turn.mjs'), String(gate.port), client]
    return await checksOf(RUNS[name].runner, RUNS[name].all, command)
  } finally {
    gate.close()
  }
}

/** Runs one scenario by itself. */
export async function runScenario(name: Run, scenario: string, client: string): Promise<Checks> {
  const checks = (await checksOf(RUNS[name].runner, [...RUNS[name].one, '--scenario', scenario], [client])).get(scenario)
  if (!checks) throw new Error(`The runner wrote no checks of ${scenario}`)
  return checks
}

/** Scenario → its checks. The runner calls a client that does nothing "passed", so only the counts tell anything. */
async function checksOf(runner: string, which: readonly string[], command: readonly string[]): Promise<Map<string, Checks>> {
  const output = mkdtempSync(join(tmpdir(), 'parley-conformance-'))
  try {
    const said = await start([
      ...[join(root, 'node_modules', runner, 'dist', 'index.js'), 'client', ...which],
      ...['--command', [process.execPath, ...command].join(' ')],
      ...['--timeout', '120000', '--output-dir', output],
    ])
    const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('checks.json'))
    if (files.length === 0) throw new Error(`The runner wrote no checks: ${said}`)
    return new Map(files.map((path) => [scenarioOf(path), readChecks(join(output, path))]))
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

/** The runner names a folder after its scenario and the time. */
const scenarioOf = (path: string) =>
  dirname(path)
    .replaceAll('\\', '/')
    .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')

function readChecks(file: string): Checks {
  const checks = JSON.parse(readFileSync(file, 'utf8')) as { id: string; status: string; errorMessage?: string }[]
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`),
  }
}

/** Sends a byte to each connection whose turn has come; a turn ends with its connection. */
async function openGate(): Promise<{ readonly port: number; close(): void }> {
  const waiting: Socket[] = []
  let working = 0
  const next = () => {
    while (working < AT_ONCE && waiting.length > 0) {
      working++
      waiting.shift()?.write('.')
    }
  }
  const gate = createServer((socket) => {
    waiting.push(socket)
    socket.on('error', () => {}) // its client has ended, which `close` tells as well
    socket.on('close', () => {
      const at = waiting.indexOf(socket)
      if (at >= 0) waiting.splice(at, 1)
      else working--
      next()
    })
    socket.resume()
    next()
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return { port: (gate.address() as AddressInfo).port, close: () => gate.close() }
}

function start(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.on('error', reject)
    child.on('close', () => resolve(said))
  })
}
