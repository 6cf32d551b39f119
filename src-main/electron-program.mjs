// Electron's program, as its package downloads it; `ELECTRON_OVERRIDE_DIST_PATH` names another folder, as it does for Electron's own command.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/** Its absolute path below the project's folder; undefined until it is downloaded. */
export function electronProgram(root) {
  const folder = join(root, 'node_modules', 'electron')
  const told = join(folder, 'path.txt')
  const name = existsSync(told) ? readFileSync(told, 'utf8').trim() : (NAMES[process.platform] ?? 'electron')
  const program = join(process.env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist'), name)
  return existsSync(program) ? program : undefined
}

/** `env` without what would make Electron something else than an app: terminals inside of Electron apps have it. */
export function appEnvironment(env) {
  const { ELECTRON_RUN_AS_NODE: _asNode, ELECTRON_NO_ATTACH_CONSOLE: _noConsole, ...rest } = env
  return rest
}
