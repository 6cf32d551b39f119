import type { CheckId } from '../../../src-shared/contract/doctor.ts'
import { askProgram } from '../../transports/ask-program.ts'
import { programFault } from '../../transports/program-file.ts'
import { resolveCommand } from '../../transports/resolve-command.ts'
import { programName } from '../launch/launched-code.ts'
import { packageRunner, startedProgram } from '../launch/package-runner.ts'
import { startDocker } from './causes.ts'
import { type Checker, failed, notReached, passed } from './diagnosis-target.ts'
import { programPlace } from './evidence.ts'
import { faultProblem, notFoundProblem } from './program-problems.ts'
import { installRemedy, programTitle } from './programs.ts'

const NODE_TOOLS = 'npx npm pnpm pnpx yarn corepack tsx'.split(' ')
const RUNTIMES = 'node nodejs uv pipx python python3 bun deno docker podman java dotnet'.split(' ')

/** The runtime that a program needs, which may be the program itself. */
function runtimeOf(program: string | undefined): string | undefined {
  if (program === undefined) return undefined
  if (NODE_TOOLS.includes(program)) return 'node'
  const name = program.replace(/^(uv|bun)x$/, '$1')
  return RUNTIMES.includes(name) ? name : undefined
}

const command: Checker = async (target, reached) => {
  const { program, record } = target
  if (record.launch.type !== 'local' || !program) return undefined
  const place = programPlace(program, target)
  if (program.path === undefined) return failed(await notFoundProblem(record.launch.command, program, place))
  const fault = await programFault(program.path, place)
  // A script without a shebang may be meant for the shell that then runs it.
  const runs = reached && fault?.is === 'windows-script'
  if (fault && !runs && fault.is !== 'no-shebang' && fault.is !== 'no-interpreter') return failed(faultProblem(fault, place))
  return passed(`“${record.launch.command}” is “${program.path}”.`)
}

const runtime: Checker = async (target) => {
  const { program, record, allowed, problem } = target
  const name = runtimeOf(startedProgram(record.launch))
  const place = programPlace(program, target)
  if (program?.path !== undefined) {
    const fault = await programFault(program.path, place)
    if (fault?.is === 'no-interpreter') return failed(faultProblem(fault, place))
  }
  if (name === undefined) return undefined
  if (!allowed) return notReached('Not checked before you allow it.')
  const title = programTitle(name) ?? name
  // A runtime that was given by its path is asked itself.
  const same = record.launch.type === 'local' && programName(record.launch.command, 'win32') === name
  const found =
    same && program?.path !== undefined ? { path: program.path } : await resolveCommand(name, place.env, place.cwd, place.os)
  if (!('path' in found)) {
    const what = `It needs ${title}, which was not found.`
    const remedies = installRemedy(name, place.os)
    return failed({ code: 'runtime-missing', what, todo: `Install ${title}, then start the server again.`, remedies })
  }
  const args = name === 'docker' ? ['version', '--format', '{{.Server.Version}}'] : ['--version']
  const answer = await askProgram(found.path, args, { ...target, ...place, env: definedIn(place.env) })
  const version = /\d+\.\d+[\w.+-]{0,30}/.exec(answer?.output ?? '')?.[0]
  if (name === 'docker' && answer?.code !== 0) {
    const todo = 'Start it, then start the server again.'
    const remedies = startDocker(place.os)
    return failed({ code: 'docker-stopped', what: 'Docker is not running.', said: answer?.output ?? '', todo, remedies })
  }
  if (problem?.code === 'runtime-old' && version !== undefined) {
    return failed({ ...problem, what: problem.what.replace(/\.$/, `; ${title} ${version} is installed.`) })
  }
  return passed(version === undefined ? `${title} is installed.` : `${title} ${version}.`)
}

function definedIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const download: Checker = ({ record: { state, launch } }, reached) => {
  if (packageRunner(launch) === undefined) return undefined
  if (state.is === 'starting' && state.step === 'installing') return notReached(state.said ?? 'It is being downloaded.')
  return reached ? passed('Its package is installed.') : notReached()
}

export const LOCAL_CHECKERS: Pick<Record<CheckId, Checker>, 'command' | 'runtime' | 'download'> = { command, runtime, download }
