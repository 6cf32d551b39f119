/** Deletes the oldest entries until at most `most` are left. */
export function dropOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(key)
  }
}
