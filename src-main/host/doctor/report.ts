import type { Diagnosis } from '../../../src-shared/contract/doctor.ts'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { withoutSecretArguments } from '../core/redact.ts'
import type { DiagnosisTarget } from './diagnosis-target.ts'

const SIGNS = { passed: 'ok', failed: 'FAILED', warning: 'WARNING', 'not-reached': '-' } as const
/** Terminal colours, cursor movements and other control characters. */
const CONTROLS = /\x1b(?:\[[\d;?]*[ -/]*[@-~]|\][^\x07]*\x07)|[\x00-\x08\x0b-\x1f\x7f]/g

/** A report to paste into a question for help: no values of variables or headers, and nothing that looks like a secret. */
export function report(
  target: Pick<DiagnosisTarget, 'record' | 'platform' | 'redact'>,
  { checks, finding }: Omit<Diagnosis, 'report'>,
): string {
  const { record, platform, redact } = target
  const { state, launch, hello } = record
  const names = launch.type === 'local' ? Object.keys(launch.env) : launch.type === 'remote' ? Object.keys(launch.headers) : []
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  const lines = [
    `Parley ${platform.version} on ${platform.os}`,
    `Server: ${record.name}`,
    `State: ${state.is}`,
    `Connection: ${connectionLine(launch)}`,
    names.length > 0 && `${launch.type === 'local' ? 'Variables' : 'Headers'}: ${names.join(', ')}`,
    hello && `Server info: ${hello.serverInfo?.name ?? 'no name'} ${hello.serverInfo?.version ?? ''}, protocol ${hello.revision}`,
    ...checks.map(({ id, state: is, what }) => `[${SIGNS[is]}] ${id}: ${what}`),
    finding && `Problem (${finding.code}): ${finding.what}`,
    finding?.said && `It said: ${finding.said}`,
    finding?.todo && `What to do: ${finding.todo}`,
    stderr.length > 0 && `Last lines:\n${stderr.join('\n')}`,
  ].filter((line) => typeof line === 'string')
  return redact(lines.join('\n').replace(CONTROLS, ''))
}

function connectionLine(launch: Launch): string {
  if (launch.type === 'built-in') return 'Built in'
  if (launch.type === 'remote') return launch.url
  return [launch.command, ...withoutSecretArguments(launch.args)]
    .map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word))
    .join(' ')
}
