import { HostError } from '../../src-shared/contract/errors.ts'
import { showFailure } from './view-store.ts'

export function failureText(error: unknown): string {
  if (error instanceof HostError) return error.message
  return 'Something went wrong in this window. Try again, or reload the page.'
}

/**
 * Runs an action whose success is visible by itself; shows a failure in the bar at the top. Gives the result in a tuple, or
 * undefined when it failed.
 */
export async function attempt<T>(work: Promise<T>): Promise<readonly [T] | undefined> {
  try {
    const result = await work
    showFailure(undefined)
    return [result]
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) showFailure(failureText(error))
    return undefined
  }
}
