import type { CheckId } from '../../../src-shared/contract/doctor.ts'
import { type CheckOne, notReached, type Patient, passed, warning } from './patient.ts'

const isUp = ({ record: { state } }: Patient) => state.is === 'ready'

/** What can only be told of a server that is up. */
const whileUp =
  (what: string | ((patient: Patient) => string)): CheckOne =>
  (patient) =>
    isUp(patient) ? passed(typeof what === 'string' ? what : what(patient)) : notReached('Not started yet.')

export const CHECKS: Readonly<Partial<Record<CheckId, CheckOne>>> = {
  allowed: ({ allowed }) => (allowed ? passed('You allowed it to run.') : notReached('You have not allowed it to run.')),
  process: whileUp('Its program runs.'),
  answer: whileUp('Its address answers.'),
  handshake: whileUp('It speaks MCP.'),
  version: whileUp(({ record }) => `Protocol version ${record.hello?.revision ?? 'unknown'}.`),
  'sign-in': ({ record }) => (record.signIn?.is === 'signed-in' ? passed('You are signed in.') : undefined),
  lists: (patient) => {
    if (!isUp(patient)) return notReached('Not started yet.')
    const { problems } = patient.record.catalog
    if (problems.length === 0) return passed('Its lists were read.')
    const said = problems.join('\n')
    return warning({ code: 'lists', what: 'Some of its lists could not be read.', said, remedies: [{ is: 'start' }] })
  },
  offered: (patient) => {
    if (!isUp(patient)) return notReached('Not started yet.')
    const { catalog, options } = patient.record
    if (catalog.tools === 0) return passed('It has no tools to offer to models.')
    if (options.hiddenTools.length < catalog.tools) return passed('Its tools are offered to models.')
    const what = 'None of its tools is offered to models.'
    return warning({ code: 'all-hidden', what, todo: 'Enable its tools.', remedies: [{ is: 'offer-tools' }] })
  },
}
