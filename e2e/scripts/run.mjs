import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')

/** Characters of a part's output that are printed again at the end when it failed: what failed and why, as the runners say it last. */
const TAIL = 6_000

/** Runs a command of the project with its own Node first on PATH; resolves with the exit code and what it printed, if it went through here. */
export function run(command, args, { env = {}, quiet = false, cwd = root } = {}) {
  // A terminal is handed on as it is, for its colours and lines that change; a log passes through here.
  const piped = quiet || !process.stdout.isTTY
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio: piped ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, ...env },
    })
    let output = ''
    const pass = (stream, out) => {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
        if (!quiet) out.write(text)
      })
    }
    pass(child.stdout, process.stdout)
    pass(child.stderr, process.stderr)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? 1, signal, output }))
  })
}

/** Runs the parts one after the other, prints the seconds of each, and ends the process with the first failure's code. */
export async function runParts(parts) {
  const rows = []
  const failures = []
  const notices = []
  let failed = 0
  for (const { name, go } of parts) {
    const start = performance.now()
    console.log(`\n── ${name}`)
    const { code, output, notice } = await go()
    if (notice) notices.push(notice)
    rows.push([name, `${((performance.now() - start) / 1000).toFixed(1)} s`, code === 0 ? 'passed' : `failed (${code})`])
    if (code === 0) continue
    failed ||= code
    if (output) failures.push([name, output])
  }
  // Told again last, where a log is read first; a part that follows prints hundreds of lines.
  if (parts.length > 1)
    for (const [name, output] of failures) console.log(`\n── ${name} failed, as it said last:\n${output.slice(-TAIL)}`)
  console.log()
  for (const [name, seconds, word] of rows) console.log(`${name.padEnd(28)}${seconds.padStart(9)}  ${word}`)
  for (const notice of notices) console.log(`\n${notice}`)
  process.exitCode = failed
}

/** A part that is one command. */
export const command = (name, bin, args, options) => ({ name, go: () => run(bin, args, options) })
