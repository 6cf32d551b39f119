/** Blocked attempts of a view: by this page or the host, by the browser's policy, or by its sandbox, as its page reports. */
export interface Blocked {
  readonly what: 'address' | 'call' | 'resource' | 'link' | 'text' | 'size' | 'message' | 'method' | ToldBlocked
  /** An address, a tool, a method or a feature; empty for what needs no name. */
  readonly name: string
  readonly times: number
}

type ToldBlocked = (typeof TOLD_BLOCKED)[number]
export const TOLD_BLOCKED = ['window', 'top', 'download', 'dialog', 'storage', 'worker', 'feature'] as const

/** Different ones that are kept of a view, and times that are counted. */
export const MOST_BLOCKED = 32
const MOST_TIMES = 999

/** Adds one, or `times`, to the list; returns the same list when nothing changes or it is full. */
export function countBlocked(list: readonly Blocked[], blocked: Omit<Blocked, 'times'>, times = 1): readonly Blocked[] {
  const { what, name } = blocked
  const known = list.find((one) => one.what === what && one.name === name)
  const total = Math.min((known?.times ?? 0) + times, MOST_TIMES)
  if (!known) return list.length < MOST_BLOCKED ? [...list, { what, name, times: total }] : list
  if (known.times >= MOST_TIMES) return list
  return list.map((one) => (one === known ? { ...one, times: total } : one))
}
