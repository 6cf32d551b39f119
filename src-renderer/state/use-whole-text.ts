import { useEffect, useRef, useState } from 'react'
import type { BoundedText } from '../../src-shared/contract/blobs.ts'
import { readWhole } from './read-text.ts'

/**
 * All of a text of at most `most` bytes, however little of it travelled: undefined while it is on its way, null where it is longer or
 * cannot be read.
 */
export function useWholeText(content: BoundedText, most: number): string | undefined | null {
  const { text, whole } = content
  const [read, setRead] = useState<{ readonly of: string; readonly text: string | null }>()
  const wanted = whole && whole.bytes <= most ? whole.blob : undefined
  const latest = useRef(content)
  latest.current = content
  useEffect(() => {
    if (wanted === undefined) return
    const giveUp = new AbortController()
    readWhole([latest.current], giveUp.signal).then(
      (all) => setRead({ of: wanted, text: all }),
      () => giveUp.signal.aborted || setRead({ of: wanted, text: null }),
    )
    return () => giveUp.abort()
  }, [wanted])
  if (!whole) return text
  if (wanted === undefined) return null
  return read?.of === wanted ? read.text : undefined
}
