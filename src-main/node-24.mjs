// Finds Node 24 and runs a program to its end: for what people start on whatever Node they have.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

/** Node 24 as a package of ours, else this very Node, else the system's; undefined where none is. */
export function findNode24() {
  return [ownNode(), process.execPath, 'node'].find((path) => {
    if (!path) return false
    const { stdout } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8', timeout: 10_000 })
    return Number.parseInt(stdout ?? '', 10) >= 24
  })
}

/** The package lies beside ours, wherever npm put both. */
function ownNode() {
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${windows ? 'node.exe' : 'node'}`)
  } catch {
    return undefined
  }
}

/** Waits for a child, passing signals on; resolves with its exit code. */
export function exitCode(child) {
  const pass = (signal) => child.kill(signal)
  endWithParent(child)
  // On Windows the console itself tells every process, and kill() would be a hard end.
  const signals = process.platform === 'win32' ? [] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, pass)
  if (process.platform === 'win32') process.on('SIGINT', () => {})
  return new Promise((done) => {
    const finish = (code) => {
      for (const signal of signals) process.off(signal, pass)
      done(code)
    }
    child.once('error', (error) => {
      console.error(`Parley could not be started: ${error.message}`)
      finish(1)
    })
    child.once('exit', (code) => finish(code ?? 1))
  })
}

/** npm and npx pass a signal to the shell between us, and no further: when that is gone, so are we meant to be. */
function endWithParent(child) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}
