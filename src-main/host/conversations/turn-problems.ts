import type { Problem } from '../../../src-shared/contract/errors.ts'

export function roundLimit(rounds: number): Problem {
  return {
    code: 'round-limit',
    what: `The model was asked ${rounds} times in a row, which is the limit.`,
    todo: 'Continue, or change the limit in Settings.',
  }
}

export function tokenLimitReached(tokens: number): Problem {
  return {
    code: 'token-limit',
    what: `This run used its ${tokens.toLocaleString('en')} tokens.`,
    todo: 'Continue, or change the limit in its schedule.',
  }
}

/** The problem of a reply that ended early, or in which there is nothing. */
export function stopProblem(
  reason: 'end' | 'tool-use' | 'max-tokens' | 'stop-sequence' | 'refused' | 'other',
  isEmpty: boolean,
): Problem | undefined {
  if (reason === 'max-tokens') {
    return { code: 'max-tokens', what: 'The reply was cut off at the model’s length limit.', todo: 'Ask it to continue.' }
  }
  if (reason === 'refused') {
    return { code: 'refused', what: 'The model declined to answer this.', todo: 'Rephrase it, or choose another model.' }
  }
  return isEmpty
    ? { code: 'empty', what: 'The model answered with nothing.', todo: 'Retry, or choose another model.' }
    : undefined
}
