/** Calls `read` every few milliseconds until it returns something truthy; throws with the description of it after a limit. */
export async function until<T>(
  read: () => T | Promise<T>,
  what = 'the condition',
  timeout = 30_000,
): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + timeout
  for (;;) {
    const value = await read()
    if (value) return value as NonNullable<Awaited<T>>
    if (Date.now() > end) throw new Error(`Waited ${timeout} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
