import { isObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { PlaygroundCall } from './playground-tools.ts'

type Fields = Record<string, unknown>

/** Ends a call that needs an answer of the host, which sends it again with the answer (2026-07-28 patterns/mrtr). */
class InputNeeded extends Error {
  readonly input: Fields

  constructor(input: Fields) {
    super('More input is needed.')
    this.name = 'InputNeeded'
    this.input = input
  }
}

/** Runs a tool from the beginning with all answers so far; a further question becomes its result. */
export async function inRounds(
  { requestState, inputResponses }: Fields,
  run: (ask: PlaygroundCall['ask']) => Promise<object>,
): Promise<Fields> {
  const before: unknown = typeof requestState === 'string' ? parseJson(requestState) : {}
  const answers: Fields = { ...(isObject(before) && before), ...(isObject(inputResponses) && inputResponses) }
  let asked = 0
  const ask: PlaygroundCall['ask'] = async (method, params) => {
    asked += 1
    const answer = answers[`ask-${asked}`]
    if (isObject(answer)) return answer
    throw new InputNeeded({ [`ask-${asked}`]: { method, params } })
  }
  try {
    return { resultType: 'complete', ...(await run(ask)) }
  } catch (error) {
    if (!(error instanceof InputNeeded)) throw error
    return { resultType: 'input_required', inputRequests: error.input, requestState: JSON.stringify(answers) }
  }
}
