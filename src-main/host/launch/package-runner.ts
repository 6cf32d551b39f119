import type { Launch } from '../../../src-shared/contract/servers.ts'
import { programName } from './launched-code.ts'

/** Programs that run packages, and may have to download them first. */
const RUNNERS = /^(?:npx|npm|pnpm|pnpx|yarn|bunx|bun|deno|uvx|uv|pipx|docker|podman)$/

/** The name of what a launch starts, also behind `cmd /c`, the common way on Windows; undefined for a remote one. */
export function startedProgram(launch: Launch): string | undefined {
  if (launch.type !== 'local') return undefined
  const name = programName(launch.command, 'win32')
  const [flag = '', behind = ''] = launch.args
  return name === 'cmd' && /^\/c$/i.test(flag) ? programName(behind, 'win32') : name
}

/** The program that may download what is launched; undefined for one that is started as it lies there. */
export function packageRunner(launch: Launch): string | undefined {
  const name = startedProgram(launch)
  return name !== undefined && RUNNERS.test(name) ? name : undefined
}
