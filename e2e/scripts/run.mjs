import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')

/** Runs a command of the project with its own Node first on PATH; resolves with the exit code. */
export function run(command, args, { env = {}, quiet = false, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, ...env },
    })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? 1, signal, output }))
  })
}

/** Runs the parts one after the other, prints the seconds of each, and ends the process with the first failure's code. */
export async function runParts(parts) {
  const rows = []
  let failed = 0
  for (const { name, go } of parts) {
    const start = performance.now()
    console.log(`\n── ${name}`)
    const code = await go()
    rows.push([name, `${((performance.now() - start) / 1000).toFixed(1)} s`, code === 0 ? 'passed' : `failed (${code})`])
    if (code !== 0) failed ||= code
  }
  console.log()
  for (const [name, seconds, word] of rows) console.log(`${name.padEnd(28)}${seconds.padStart(9)}  ${word}`)
  process.exitCode = failed
}

/** A part that is one command. */
export const command = (name, bin, args, options) => ({ name, go: async () => (await run(bin, args, options)).code })
