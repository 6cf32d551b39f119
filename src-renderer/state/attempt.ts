import { HostError } from '../../src-shared/contract/errors.ts'
import { showFailure } from './view-store.ts'

/** An error as a person should read it. */
export function failureText(error: unknown): string {
  if (error instanceof HostError) return error.message
  return 'Something went wrong in this window. Try again, or reload the page.'
}

/** For a click whose result shows by itself: a failure goes to the bar at the top. What came of it, in a tuple; undefined when it failed. */
export async function attempt<T>(doing: Promise<T>): Promise<readonly [T] | undefined> {
  try {
    const result = await doing
    showFailure(undefined)
    return [result]
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) showFailure(failureText(error))
    return undefined
  }
}
