import type { Launch } from '../../../src-shared/contract/servers.ts'
import { programName } from './launched-code.ts'

/** Programs that may download the package that they run. */
const RUNNERS = /^(?:npx|npm|pnpm|pnpx|yarn|bunx|bun|deno|uvx|uv|pipx|docker|podman)$/

/** Name of the program that a local launch starts, looking through `cmd /c`, as is common on Windows. */
export function startedProgram(launch: Launch): string | undefined {
  if (launch.type !== 'local') return undefined
  const name = programName(launch.command, 'win32')
  const [flag = '', behind = ''] = launch.args
  return name === 'cmd' && /^\/c$/i.test(flag) ? programName(behind, 'win32') : name
}

/** Name of the program, if it may download the server first. */
export function packageRunner(launch: Launch): string | undefined {
  const name = startedProgram(launch)
  return name !== undefined && RUNNERS.test(name) ? name : undefined
}
