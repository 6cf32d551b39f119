import {
  type Check,
  type CheckId,
  COMMON_CHECKS,
  type Diagnosis,
  LOCAL_CHECKS,
  REMOTE_CHECKS,
} from '../../../src-shared/contract/doctor.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { checkOf } from './check-of.ts'
import { CHECKS } from './checks.ts'
import { type DiagnosisTarget, failed, isUp, type Look } from './diagnosis-target.ts'
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
    const reached = isUp(patient) || (failedAt !== undefined && at < failedAt)
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
