export type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The record with these parts in place of its own; one that is undefined is left out. */
export function changed<T extends object>(record: T, changes: Changes<T>): T {
  const kept = Object.entries({ ...record, ...changes }).filter(([, part]) => part !== undefined)
  return Object.fromEntries(kept) as T
}
