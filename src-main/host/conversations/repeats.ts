import { canonicalJson } from '../../../src-shared/base/json.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ProposedCall } from './running-call.ts'

/** Times that a turn may make the same call with the same arguments. */
const REPEAT_LIMIT = 5

/** Counts identical calls in one run of a turn. */
export class Repeats {
  readonly #times = new Map<string, number>()

  /** Counts the call; true past the limit. */
  isLooping({ toolCall, args }: ProposedCall): boolean {
    const key = canonicalJson([toolCall.serverId ?? null, toolCall.tool, args ?? toolCall.arguments.json])
    const times = (this.#times.get(key) ?? 0) + 1
    this.#times.set(key, times)
    return times > REPEAT_LIMIT
  }
}

export function repeating(tool: string): Problem {
  return {
    code: 'repeating',
    what: `The model wanted to call “${tool}” with the same arguments for the ${REPEAT_LIMIT + 1}th time.`,
    todo: 'Tell it what to do differently, or continue.',
  }
}
