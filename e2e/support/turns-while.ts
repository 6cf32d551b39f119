/** Number of turns of the event loop until the work was done. */
export async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate
  const take = () => {
    turns += 1
    next = setImmediate(take)
  }
  next = setImmediate(take)
  try {
    await work()
  } finally {
    clearImmediate(next)
  }
  return turns
}
