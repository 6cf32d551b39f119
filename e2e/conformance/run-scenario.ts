import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const RUNNERS = { newest: '@modelcontextprotocol/conformance', older: 'conformance-older' } as const
export type Runner = keyof typeof RUNNERS

export interface Checks {
  readonly passed: number
  /** What failed or warned, in the runner's words. */
  readonly failed: readonly string[]
}

/**
 * Runs one scenario of an official runner against our client and counts its checks. The runner calls a client that does nothing
 * "passed", so only the counts tell anything.
 */
export async function runScenario(runner: Runner, scenario: string): Promise<Checks> {
  const output = mkdtempSync(join(tmpdir(), 'parley-conformance-'))
  try {
    const client = `${process.execPath} ${join(root, 'e2e', 'conformance', 'client.ts')}`
    const args = [
      join(root, 'node_modules', RUNNERS[runner], 'dist', 'index.js'),
      'client',
      '--command',
      client,
      '--scenario',
      scenario,
    ]
    const said = await run([...args, '--output-dir', output])
    const file = readdirSync(output, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('checks.json'))
    if (!file) throw new Error(`The runner wrote no checks: ${said}`)
    const checks = JSON.parse(readFileSync(join(output, file), 'utf8')) as { id: string; status: string; errorMessage?: string }[]
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

function run(args: readonly string[]): Promise<string> {
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
