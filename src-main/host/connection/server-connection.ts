import { defined } from '../../../src-shared/base/defined.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerOptions, ServerState } from '../../../src-shared/contract/servers.ts'
import type { Client } from '../../client/client.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Redact } from '../core/redact.ts'
import { faultOf, isEcho, isHeldBack } from '../doctor/evidence.ts'
import { explainFailure } from '../doctor/explain-failure.ts'
import type { LaunchGate } from '../launch/launch-gate.ts'
import type { ConnectStep } from './connect-server.ts'
import type { PreparedLaunch } from './prepare-launch.ts'
import type { ServerLog } from './server-log.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface ConnectionParts extends Pick<HostCore, 'clock' | 'environment' | 'platform'> {
  readonly name: string
  readonly gate: LaunchGate
  readonly log: ServerLog
  readonly traffic: TrafficLog
  readonly era: () => ServerOptions['era']
  readonly launch: () => PreparedLaunch
  /** Opens one connection, which ends with `lifetime`. */
  readonly connect: (
    launch: PreparedLaunch,
    lifetime: Lifetime,
    step: (step: ConnectStep, said?: string) => void,
  ) => Promise<{ client: Client; redact: Redact }>
  readonly onState: (state: ServerState) => void
  /** Receives the client when it is ready, and undefined when it ended. */
  readonly onClient: (client: Client | undefined) => void
  readonly remark: (error: unknown) => void
}

interface Outcome {
  readonly error: unknown
  readonly problem: Problem
  readonly stderr: readonly string[]
  /** Milliseconds for which it was ready; absent when it never was. */
  readonly readyFor?: number
}

/** Milliseconds after which a slow server no longer keeps others from starting. */
const GATE_LIMIT = 5000
/** The last lines of stderr that a failure shows. */
const STDERR_LINES = 12
/** Characters of each line; the log has the whole. */
const STDERR_WIDTH = 300

/** Runs one connection from launch to its end. Rejects only when `run` ends before the connection's turn. */
export async function runConnection(run: Lifetime, attempt: number, parts: ConnectionParts): Promise<Outcome> {
  const { clock, gate, log, name, launch, connect, onState, onClient, remark } = parts
  const connection = new Lifetime(`connection to ${name}`, run)
  let redact: Redact = (text) => log.clean(text)
  let readyAt: number | undefined
  let error: unknown
  onState({ is: 'starting', since: clock.now(), step: 'launching', attempt })
  const began = { line: log.position, entry: parts.traffic.position }
  const leave = await gate.enter(run.signal)
  const stopWaiting = clock.after(GATE_LIMIT, leave)
  try {
    const connected = await connect(launch(), connection, (step, said) => {
      // A server that exits on the probe is launched again, and only the output of the second launch counts.
      if (step === 'launching') began.line = log.position
      else if (!connection.ended)
        onState({ is: 'starting', since: clock.now(), step, attempt, ...(said !== undefined && { said }) })
    })
    redact = connected.redact
    const { client } = connected
    onState({ is: 'starting', since: clock.now(), step: 'listing', attempt })
    const gone = client.closed.then(() => true)
    if (!(await Promise.race([list(client, connection.signal, remark).then(() => false), gone]))) {
      leave()
      readyAt = clock.now()
      onClient(client)
      onState({ is: 'ready', since: readyAt })
    }
    error = await client.closed
  } catch (thrown) {
    error = thrown
  } finally {
    stopWaiting()
    leave()
    if (readyAt !== undefined) onClient(undefined)
    await connection.end().catch((failure) => remark(failure))
  }
  return {
    error,
    ...(await explained(error, { ...began, redact, wasReady: readyAt !== undefined }, parts)),
    ...(readyAt !== undefined && { readyFor: clock.now() - readyAt }),
  }
}

interface EndedConnection {
  /** The places in the log and the traffic where it began. */
  readonly line: number
  readonly entry: number
  readonly redact: Redact
  readonly wasReady: boolean
}

/** The end of a connection for the person, by what its server printed and sent. */
async function explained(
  error: unknown,
  { line, entry, redact, wasReady }: EndedConnection,
  parts: ConnectionParts,
): Promise<Pick<Outcome, 'problem' | 'stderr'>> {
  const { name, log, traffic, era, environment, platform } = parts
  const printed = log.since(line, 'stderr')
  const { entries } = traffic.read(entry)
  const home = environment.HOME ?? environment.USERPROFILE
  const { launch, program } = parts.launch()
  const fault = wasReady ? undefined : await faultOf(error, launch, program, parts)
  const problem = explainFailure(error, {
    name,
    launch,
    redact,
    era: era(),
    os: platform.os,
    heldBack: isHeldBack(entries),
    echo: isEcho(entries),
    ...defined({ home, fault }),
    stderr: printed,
    oddities: log.since(line, 'host'),
  })
  return { problem, stderr: printed.slice(-STDERR_LINES).map((one) => one.slice(0, STDERR_WIDTH)) }
}

/** Never rejects: a list that cannot be read does not end the connection. */
async function list(client: Client, signal: AbortSignal, remark: (error: unknown) => void): Promise<void> {
  try {
    await client.catalog.load(signal)
  } catch (error) {
    if (!signal.aborted) remark(error)
  }
}
