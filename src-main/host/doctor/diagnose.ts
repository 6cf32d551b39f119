import { defined } from '../../../src-shared/base/defined.ts'
import {
  type Check,
  type CheckId,
  COMMON_CHECKS,
  type Diagnosis,
  LOCAL_CHECKS,
  REMOTE_CHECKS,
} from '../../../src-shared/contract/doctor.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { type Checker, type DiagnosisTarget, failed, isConnected, notReached, passed, warning } from './diagnosis-target.ts'
import { LOCAL_CHECKERS } from './local-checks.ts'
import { REMOTE_CHECKERS } from './remote-checks.ts'
import { report } from './report.ts'

/** Characters of a program's or server's message that a check carries. */
const SAID_LIMIT = 1000

/** Checks a server in the order in which it would be started, up to the first failure. */
export async function diagnose(target: DiagnosisTarget): Promise<Diagnosis> {
  const ids = idsFor(target)
  const failedAt = target.problem ? placeIn(ids, target.problem) : undefined
  const checks: Check[] = []
  let finding: Problem | undefined
  let warned: Problem | undefined
  for (const [at, id] of ids.entries()) {
    if (finding) {
      checks.push({ id, state: 'not-reached', what: 'Not checked: an earlier check failed.' })
      continue
    }
    target.signal.throwIfAborted()
    const reached = isConnected(target) || (failedAt !== undefined && at < failedAt)
    const checked = await CHECKS[id](target, reached)
    const result = at === failedAt && target.problem && checked?.state !== 'failed' ? failed(target.problem) : checked
    if (!result) continue
    checks.push('problem' in result ? { id, state: result.state, ...partsOf(result.problem, target) } : { id, ...result })
    if (result.state === 'failed') finding = result.problem
    else if (result.state === 'warning') warned ??= result.problem
  }
  const shown = finding ?? warned
  const diagnosis = { at: target.clock.now(), checks, ...(shown && { finding: { ...shown, ...partsOf(shown, target) } }) }
  return { ...diagnosis, report: report(target, diagnosis) }
}

function idsFor({ record }: DiagnosisTarget): readonly CheckId[] {
  const own = { local: LOCAL_CHECKS, remote: REMOTE_CHECKS, 'built-in': [] }[record.launch.type]
  return [...own, ...COMMON_CHECKS]
}

/** The check that failed; the handshake where the problem's own check does not apply to this kind of server. */
function placeIn(ids: readonly CheckId[], problem: Problem): number {
  const at = ids.indexOf(checkOf(problem.code))
  return at < 0 ? ids.indexOf('handshake') : at
}

function partsOf({ what, said, todo, remedies }: Problem, { redact }: DiagnosisTarget) {
  return {
    what,
    ...(said !== undefined && { said: redact(said).slice(0, SAID_LIMIT) }),
    ...defined({ todo, remedies }),
  }
}

/** A check that only reports the connection's progress. */
const happened =
  (what: string): Checker =>
  (_target, reached) =>
    reached ? passed(what) : notReached()

const lists: Checker = (target) => {
  if (!isConnected(target)) return notReached()
  const { problems } = target.record.catalog
  if (problems.length === 0) return passed('Its lists were read.')
  const what = 'Some of its lists are incomplete.'
  const remedies = [{ is: 'start' }, { is: 'open-log' }] as const
  return warning({ code: 'lists', what, said: problems.join('\n'), todo: 'Start it again. Its log may say why.', remedies })
}

const offered: Checker = (target) => {
  if (!isConnected(target)) return notReached()
  const { catalog, options } = target.record
  if (catalog.tools === 0) return passed('It has no tools to offer to models.')
  if (options.hiddenTools.length < catalog.tools) return passed('Its tools are offered to models.')
  const what = 'None of its tools is offered to models.'
  return warning({ code: 'all-hidden', what, todo: 'Enable its tools.', remedies: [{ is: 'offer-tools' }] })
}

const handshake: Checker = ({ oddities, record }, reached) => {
  if (!reached) return notReached()
  const noise = record.launch.type === 'local' && oddities.find((text) => text.startsWith('Not JSON on stdout'))
  if (!noise) return passed('It speaks MCP.')
  const what = 'It speaks MCP, and prints other text in between.'
  const todo = 'It works. Its maintainers should print to stderr instead.'
  return warning({ code: 'noise', what, said: noise, todo, remedies: [{ is: 'open-log' }] })
}

const CHECKS: Readonly<Record<CheckId, Checker>> = {
  allowed: ({ allowed }) => (allowed ? passed('You allowed it.') : notReached('You have not allowed it.')),
  ...LOCAL_CHECKERS,
  ...REMOTE_CHECKERS,
  process: happened('Its program runs.'),
  handshake,
  version: (target, reached) =>
    reached ? passed(`Protocol version ${target.record.hello?.revision ?? 'agreed on'}.`) : notReached(),
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
    'exited ended variable-missing key-missing bad-arguments program-missing module-missing file-missing no-permission no-terminal over-limit',
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

/** The check that a problem of this code fails; a code that is not listed belongs to the handshake. */
const checkOf = (code: string): CheckId => CHECK_OF.get(code) ?? (code.startsWith('http-') ? 'answer' : 'handshake')
