import { AssertionError } from 'node:assert'

/** Milliseconds that it waits unless told. */
const LIMIT = 30_000

/**
 * Calls `read` every few milliseconds until it returns something truthy; after a limit fails as an assertion, with the description of it,
 * which may then say what there is instead.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  what: string | (() => string) = 'the condition',
  timeout = LIMIT,
): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + timeout
  for (;;) {
    const value = await read()
    if (value) return value as NonNullable<Awaited<T>>
    if (Date.now() > end)
      throw new AssertionError({ message: `Waited ${timeout} ms for ${typeof what === 'string' ? what : what()}` })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The outcome of a promise. Fails as an assertion when there is none within the limit, where awaiting it would outlast the test. */
export async function bounded<T>(promise: Promise<T>, what: string): Promise<T> {
  let came = false
  const done = () => (came = true)
  promise.then(done, done)
  await until(() => came, what)
  return promise
}
