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
import { failed, type Look, type Patient } from './patient.ts'
import { report } from './report.ts'

/** Looks at a server in the order in which it would be started, up to what fails. */
export async function diagnose(patient: Patient): Promise<Diagnosis> {
  const ids = idsFor(patient)
  const failedAt = patient.problem && whereIn(ids, patient.problem)
  const checks: Check[] = []
  let finding: Problem | undefined
  for (const id of ids) {
    if (finding) {
      checks.push({ id, state: 'not-reached', what: 'Not looked at: what comes before failed.' })
      continue
    }
    const seen = await CHECKS[id]?.(patient)
    const look = id === failedAt && patient.problem && seen?.state !== 'failed' ? failed(patient.problem) : seen
    if (look) checks.push(checkFrom(id, look))
    if (look?.state === 'failed') finding = look.problem
  }
  const warning = checks.find(({ state }) => state === 'warning')
  const told = finding ?? (warning && { code: `warning-${warning.id}`, ...partsOf(warning) })
  const diagnosis = { at: patient.now, checks, ...(told && { finding: told }) }
  return { ...diagnosis, report: report(patient, diagnosis) }
}

function idsFor({ record }: Patient): readonly CheckId[] {
  const own = { local: LOCAL_CHECKS, remote: REMOTE_CHECKS, 'built-in': [] }[record.launch.type]
  return [...own, ...COMMON_CHECKS]
}

/** A problem whose own check does not apply to this kind of server belongs to the handshake. */
function whereIn(ids: readonly CheckId[], problem: Problem): CheckId {
  const id = checkOf(problem.code)
  return ids.includes(id) ? id : 'handshake'
}

function checkFrom(id: CheckId, look: Look): Check {
  return 'problem' in look ? { id, state: look.state, ...partsOf(look.problem) } : { id, ...look }
}

const partsOf = ({ what, said, todo, remedies }: Pick<Problem, 'what' | 'said' | 'todo' | 'remedies'>) => ({
  what,
  ...(said !== undefined && { said }),
  ...(todo !== undefined && { todo }),
  ...(remedies && { remedies }),
})
