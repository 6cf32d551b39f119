import type { CheckId } from '../../../src-shared/contract/doctor.ts'
import { type CheckOne, isUp, notReached, passed, warning } from './diagnosis-target.ts'
import { LOCAL } from './local-checks.ts'
import { REMOTE } from './remote-checks.ts'

/** Reads only what has already happened. */
const happened =
  (what: string): CheckOne =>
  (_patient, reached) =>
    reached ? passed(what) : notReached()

const lists: CheckOne = (patient) => {
  if (!isUp(patient)) return notReached()
  const { problems } = patient.record.catalog
  if (problems.length === 0) return passed('Its lists were read.')
  const what = 'Some of its lists are incomplete.'
  const remedies = [{ is: 'start' }, { is: 'open-log' }] as const
  return warning({ code: 'lists', what, said: problems.join('\n'), todo: 'Start it again; its log may tell why.', remedies })
}

const offered: CheckOne = (patient) => {
  if (!isUp(patient)) return notReached()
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
  ...LOCAL,
  ...REMOTE,
  process: happened('Its program runs.'),
  handshake,
  version: (patient, reached) =>
    reached ? passed(`Protocol version ${patient.record.hello?.revision ?? 'agreed on'}.`) : notReached(),
  lists,
  offered,
}
