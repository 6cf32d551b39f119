import type { BlockEdit } from '../../../src-shared/contract/sampling.ts'

/** The reason why edits do not fit the question; undefined when they do. */
export function editProblem(edits: readonly BlockEdit[], blocks: number): string | undefined {
  const kept = edits.flatMap((edit) => ('keep' in edit ? [edit.keep] : []))
  if (kept.some((n) => n >= blocks)) return 'The answer names a part that is not in the question.'
  return new Set(kept).size === kept.length ? undefined : 'The answer names a part twice.'
}
