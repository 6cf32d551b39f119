import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The set of scenarios: the newest official runner for a revision, or for extensions of none; or the older runner for the one it knows. */
const RUNS = {
  '2025-11-25': ['@modelcontextprotocol/conformance', '--spec-version', '2025-11-25', '--force'],
  '2026-07-28': ['@modelcontextprotocol/conformance', '--spec-version', '2026-07-28', '--force'],
  older: ['conformance-older'],
} as const
export type Run = keyof typeof RUNS

export interface Checks {
  readonly passed: number
  /** Failures and warnings, in the runner's words. */
  readonly failed: readonly string[]
}

/**
 * Runs one scenario of an official runner against our client, a file, and counts its checks. The runner calls a client that does nothing
 * "passed", so only the counts tell anything.
 */
export async function runScenario(name: Run, scenario: string, client: string): Promise<Checks> {
  const output = mkdtempSync(join(tmpdir(), 'parley-conformance-'))
  try {
    const [runner, ...revision] = RUNS[name]
    const said = await start([
      join(root, 'node_modules', runner, 'dist', 'index.js'),
      'client',
      ...revision,
      ...['--command', `${process.execPath} ${client}`],
      ...['--scenario', scenario, '--output-dir', output],
    ])
    const file = readdirSync(output, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('checks.json'))
    if (!file) throw new Error(`The runner wrote no checks: ${said}`)
    const checks = JSON.parse(readFileSync(join(output, file), 'utf8')) as {
      id: string
      status: string
      errorMessage?: string
    }[]
    return {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`),
    }
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
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
