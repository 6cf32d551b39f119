import {
  type Check,
  type CheckId,
  COMMON_CHECKS,
  type Diagnosis,
  LOCAL_CHECKS,
  REMOTE_CHECKS,
} from '../../../src-shared/contract/doctor.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import {
  type CheckOne,
  type DiagnosisTarget,
  failed,
  isConnected,
  type Look,
  notReached,
  passed,
  warning,
} from './diagnosis-target.ts'
import { LOCAL_CHECKERS } from './local-checks.ts'
import { REMOTE } from './remote-checks.ts'
import { report } from './report.ts'

/** Characters of what was said that a check carries. */
const SAID_LIMIT = 1000

/** Looks at a server in the order in which it would be started, up to what fails. */
export async function diagnose(patient: DiagnosisTarget): Promise<Diagnosis> {
  const ids = idsFor(patient)
  const failedAt = patient.problem ? placeIn(ids, patient.problem) : undefined
  const checks: Check[] = []
  let finding: Problem | undefined
  let warned: Problem | undefined
  for (const [at, id] of ids.entries()) {
    if (finding) {
      checks.push({ id, state: 'not-reached', what: 'Not looked at: what comes before failed.' })
      continue
    }
    patient.signal.throwIfAborted()
    const reached = isConnected(patient) || (failedAt !== undefined && at < failedAt)
    const seen = await CHECKS[id](patient, reached)
    const look = at === failedAt && patient.problem && seen?.state !== 'failed' ? failed(patient.problem) : seen
    if (!look) continue
    checks.push(checkFrom(id, look, patient))
    if (look.state === 'failed') finding = look.problem
    else if (look.state === 'warning') warned ??= look.problem
  }
  const told = finding ?? warned
  const diagnosis = { at: patient.clock.now(), checks, ...(told && { finding: { ...told, ...partsOf(told, patient) } }) }
  return { ...diagnosis, report: report(patient, diagnosis) }
}

function idsFor({ record }: DiagnosisTarget): readonly CheckId[] {
  const own = { local: LOCAL_CHECKS, remote: REMOTE_CHECKS, 'built-in': [] }[record.launch.type]
  return [...own, ...COMMON_CHECKS]
}

/** A problem whose own check does not apply to this kind of server belongs to the handshake. */
function placeIn(ids: readonly CheckId[], problem: Problem): number {
  const at = ids.indexOf(checkOf(problem.code))
  return at < 0 ? ids.indexOf('handshake') : at
}

function checkFrom(id: CheckId, look: Look, patient: DiagnosisTarget): Check {
  return 'problem' in look ? { id, state: look.state, ...partsOf(look.problem, patient) } : { id, ...look }
}

function partsOf({ what, said, todo, remedies }: Problem, { redact }: DiagnosisTarget) {
  return {
    what,
    ...(said !== undefined && { said: redact(said).slice(0, SAID_LIMIT) }),
    ...(todo !== undefined && { todo }),
    ...(remedies && { remedies }),
  }
}

/** Reads only what has already happened. */
const happened =
  (what: string): CheckOne =>
  (_patient, reached) =>
    reached ? passed(what) : notReached()

const lists: CheckOne = (patient) => {
  if (!isConnected(patient)) return notReached()
  const { problems } = patient.record.catalog
  if (problems.length === 0) return passed('Its lists were read.')
  const what = 'Some of its lists are incomplete.'
  const remedies = [{ is: 'start' }, { is: 'open-log' }] as const
  return warning({ code: 'lists', what, said: problems.join('\n'), todo: 'Start it again; its log may tell why.', remedies })
}

const offered: CheckOne = (patient) => {
  if (!isConnected(patient)) return notReached()
  const { catalog, options } = patient.record
  if (catalog.tools === 0) return passed('It has no tools to offer to models.')
  if (options.hiddenTools.length < catalog.tools) return passed('Its tools are offered to models.')
  const what = 'None of its tools is offered to models.'
  return warning({ code: 'all-hidden', what, todo: 'Enable its tools.', remedies: [{ is: 'offer-tools' }] })
}

const handshake: CheckOne = ({ oddities, record }, reached) => {
  if (!reached) return notReached()
  const noise = record.launch.type === 'local' && oddities.find((text) => text.startsWith('Not JSON on stdout'))
  if (!noise) return passed('It speaks MCP.')
  const what = 'It speaks MCP, and prints other text between.'
  const todo = 'It works; its maintainers should print to stderr instead.'
  return warning({ code: 'noise', what, said: noise, todo, remedies: [{ is: 'open-log' }] })
}

/** Every check by its name. */
export const CHECKS: Readonly<Record<CheckId, CheckOne>> = {
  ...{ allowed: ({ allowed }) => (allowed ? passed('You allowed it.') : notReached('You have not allowed it.')) },
  ...LOCAL_CHECKERS,
  ...REMOTE,
  process: happened('Its program runs.'),
  handshake,
  version: (patient, reached) =>
    reached ? passed(`Protocol version ${patient.record.hello?.revision ?? 'agreed on'}.`) : notReached(),
  lists,
  offered,
}

/** The codes of problems, by the check that they fail. */
const CODES: readonly (readonly [CheckId, string])[] = [
  ['allowed', 'bad-entry secret-missing secret-elsewhere'],
  [
    'command',
    'command-not-found not-a-program not-executable folder-missing wrong-architecture no-shebang spawn-failed windows-script',
  ],
  ['runtime', 'no-interpreter runtime-missing runtime-old docker-stopped'],
  ['download', 'package-missing download-failed'],
  [
    'process',
    'exited ended variable-missing key-missing bad-arguments program-missing module-missing file-missing no-permission no-terminal',
  ],
  ['process', 'its-connection-refused its-name-unknown its-certificate its-key-rejected port-in-use disk-full'],
  ['address', 'refused not-encrypted redirected'],
  ['name', 'name-unknown'],
  ['proxy', 'proxy-sign-in proxy-refused proxy-unreachable'],
  ['clock', 'clock-off'],
  ['certificate', 'certificate-self-signed certificate-authority certificate-expired certificate-early certificate-name no-tls'],
  ['answer', 'port-closed no-way unreachable web-page stream-held-back session-lost'],
  ['sign-in', 'sign-in no-sign-in key-rejected http-401 http-403'],
  ['version', 'version'],
]

const CHECK_OF = new Map(CODES.flatMap(([id, codes]) => codes.split(' ').map((code) => [code, id] as const)))

/** Which check a problem of this code fails; whatever is not named here failed while the two came to terms. */
const checkOf = (code: string): CheckId => CHECK_OF.get(code) ?? (code.startsWith('http-') ? 'answer' : 'handshake')
