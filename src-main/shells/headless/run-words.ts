import type { RunOutcome } from '../../runs/run-messages.ts'

/** Everything that a terminal could obey, in texts of models and servers. New lines and tabs stay. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export const EXIT = { finished: 0, failed: 1, usage: 2, waiting: 3, stopped: 130 } as const

export function inert(text: string): string {
  return text.replace(CONTROLS, '\uFFFD')
}

/** One line of JSON with no character that a terminal could obey. */
export function jsonLine(outcome: RunOutcome): string {
  return JSON.stringify(outcome).replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The sentences for the person beside the reply; empty after an end without a problem. */
export function sentencesOf({ status, problem, questions, conversation }: RunOutcome): readonly string[] {
  const said = problem ? [`${problem.what}${problem.todo === undefined ? '' : ` ${problem.todo}`}`] : []
  if (status !== 'waiting') return said
  const asked = questions.flatMap(({ cause, calls = [] }) => [
    cause,
    ...calls.map(({ server, tool, arguments: given }) => `  ${server} ${tool} ${given}`),
  ])
  return [
    ...said,
    'Parley needs your answer:',
    ...asked,
    `Nothing was allowed. Open Parley and continue in “${conversation?.title ?? ''}”.`,
  ]
}
