import { isObject } from '../../../src-shared/base/json.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import type { BlockEdit } from '../../../src-shared/contract/sampling.ts'

/** A block of a request, a reply or a result; "text" ones can be edited. */
export interface EditedBlock {
  readonly n: number
  readonly type: string
  readonly text?: string
  readonly whole?: BlobRef
}

/** A person's changes of such blocks, by block number. */
export interface BlockEdits {
  readonly texts: Readonly<Record<string, string>>
  readonly removed: readonly number[]
}

export function readBlockEdits(kept: unknown): BlockEdits {
  const { texts, removed } = isObject(kept) ? kept : {}
  return {
    texts: isObject(texts) ? (Object.fromEntries(Object.entries(texts).filter(isText)) as Record<string, string>) : {},
    removed: Array.isArray(removed) ? removed.filter((n) => Number.isInteger(n)) : [],
  }
}

function isText(entry: readonly [string, unknown]): boolean {
  return typeof entry[1] === 'string'
}

export function isRemoved(edits: BlockEdits, { n }: EditedBlock): boolean {
  return edits.removed.includes(n)
}

/** The text as it was changed; undefined while it is as it came. */
export function editedText(edits: BlockEdits, { n }: EditedBlock): string | undefined {
  return edits.texts[n]
}

/** `undefined` takes the change back. */
export function withText<E extends BlockEdits>(edits: E, n: number, text: string | undefined): E {
  const { [n]: _before, ...others } = edits.texts
  return { ...edits, texts: text === undefined ? others : { ...others, [n]: text } }
}

export function withRemoved<E extends BlockEdits>(edits: E, n: number, removed: boolean): E {
  const others = edits.removed.filter((one) => one !== n)
  return { ...edits, removed: removed ? [...others, n] : others }
}

/** The blocks to send: untouched ones by number, changed texts whole; emptied and removed ones stay out. */
export function editsToSend(blocks: readonly EditedBlock[], edits: BlockEdits): readonly BlockEdit[] {
  return blocks.flatMap((block): readonly BlockEdit[] => {
    if (isRemoved(edits, block)) return []
    const text = editedText(edits, block)
    if (text === undefined || (block.type === 'text' && !block.whole && text === block.text)) return [{ keep: block.n }]
    return text === '' ? [] : [{ text }]
  })
}
