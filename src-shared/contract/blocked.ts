/** Something that a view was kept from: an address, a tool or a method by its name, or what needs none. */
export interface Blocked {
  readonly what: 'address' | 'call' | 'resource' | 'link' | 'text' | 'size' | 'message' | 'method'
  readonly name: string
  readonly times: number
}

/** Different ones that are kept of a view, and times that are counted. */
const MOST_BLOCKED = 32
const MOST_TIMES = 999

/** The list with one more; the same list where it says that already or is full. */
export function countBlocked(list: readonly Blocked[], { what, name }: Omit<Blocked, 'times'>): readonly Blocked[] {
  const known = list.find((one) => one.what === what && one.name === name)
  if (!known) return list.length < MOST_BLOCKED ? [...list, { what, name, times: 1 }] : list
  if (known.times >= MOST_TIMES) return list
  return list.map((one) => (one === known ? { ...one, times: one.times + 1 } : one))
}
