import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { Launch, TrafficEntry } from '../../../src-shared/contract/servers.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { childEnvironment } from '../../transports/child-environment.ts'
import { type ProgramPlace, programFault } from '../../transports/program-file.ts'
import type { HostCore } from '../core/host-core.ts'
import type { FoundProgram } from '../launch/launch-identity.ts'
import { faultProblem } from './program-problems.ts'

/** Exit codes by which a shell or the system says that it could not run the program. */
const NOT_RUN = [2, 126, 127]

/** The working folder and environment in which a program's files are looked up. */
export function programPlace(
  program: FoundProgram | undefined,
  { environment, platform: { os } }: Pick<HostCore, 'environment' | 'platform'>,
): ProgramPlace {
  const env = childEnvironment(environment, program?.search === undefined ? {} : { PATH: program.search }, os)
  return { cwd: program?.cwd ?? '/', env, os, arch: process.arch }
}

/** The fault in the file of a program that could not be run or ended at once. The program itself is not run. */
export async function faultOf(
  error: unknown,
  launch: Launch,
  program: FoundProgram | undefined,
  core: Pick<HostCore, 'environment' | 'platform'>,
): Promise<Problem | undefined> {
  if (!(error instanceof TransportError) || launch.type !== 'local' || program?.path === undefined) return undefined
  const { code, details } = error
  if (code !== 'spawn-failed' && code !== 'exited' && code !== 'closed') return undefined
  const place = programPlace(program, core)
  const fault = await programFault(program.path, place)
  if (!fault) return undefined
  // The shell runs a script without a shebang, which many scripts mean it to.
  if (fault.is === 'no-shebang' && code !== 'spawn-failed' && !NOT_RUN.includes(details.exitCode ?? 0)) return undefined
  return faultProblem(fault, place)
}

/** True if the last response over HTTP began as a stream, and no event came. */
export function isHeldBack(entries: readonly Pick<TrafficEntry, 'direction' | 'text'>[]): boolean {
  const at = entries.findLastIndex(({ direction, text }) => direction === 'http' && / → \d{3}\b/.test(text))
  const answer = entries[at]?.text ?? ''
  return / → 2\d\d text\/event-stream$/.test(answer) && entries.slice(at).every(({ direction }) => direction !== 'received')
}

/** True if the first message received is one that was sent, as from `cat`. */
export function isEcho(entries: readonly Pick<TrafficEntry, 'direction' | 'text'>[]): boolean {
  const received = entries.find(({ direction }) => direction === 'received')
  return received !== undefined && entries.some(({ direction, text }) => direction === 'sent' && text === received.text)
}
