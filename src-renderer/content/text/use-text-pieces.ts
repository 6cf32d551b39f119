import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { useContentPowers } from './content-powers.ts'
import { cutPieces, type TextPiece } from './text-pieces.ts'

/** Characters that are cut in one go, when the text is here already. */
const BITE = 512 * 1024
/** Characters of one text that a window keeps at most. */
const MOST = 64 * 1024 * 1024

export interface ReadText {
  readonly pieces: readonly TextPiece[]
  /** How far it was read, 0 to 1; undefined when that is all of it. */
  readonly share: number | undefined
  readonly problem: 'failed' | 'too-long' | undefined
  again(): void
}

const NOTHING = { pieces: [], share: 0, problem: undefined }

/** A text in pieces, of which the part that did not travel is read bite by bite while this is mounted. */
export function useTextPieces(content: BoundedText): ReadText {
  const { readText } = useContentPowers()
  const { text: head, whole } = content
  const [read, setRead] = useState<Omit<ReadText, 'again'>>(NOTHING)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads it once more
  useEffect(() => {
    let current = true
    const size = whole?.bytes ?? head.length
    const biteAt = async (offset: number): Promise<{ text: string; next?: number }> => {
      if (whole) return readText(whole.blob, offset)
      await new Promise<void>((resolve) => systemClock.after(0, resolve))
      const next = offset + BITE
      return { text: head.slice(offset, next), ...(next < head.length ? { next } : {}) }
    }
    const readAll = async () => {
      let rest = ''
      let offset: number | undefined = 0
      while (current && offset !== undefined && offset < MOST) {
        const bite: { text: string; next?: number } = await biteAt(offset)
        if (!current) return
        offset = bite.next
        // A line that goes on in the next bite waits for it, unless it goes on and on.
        const text = rest + bite.text
        const lineEnd = offset === undefined ? -1 : text.lastIndexOf('\n')
        const end = lineEnd < 0 ? text.length : lineEnd + 1
        rest = text.slice(end)
        const more = cutPieces(text.slice(0, end))
        const share = offset === undefined ? undefined : offset / size
        setRead((before) => ({ pieces: [...before.pieces, ...more], share, problem: undefined }))
      }
      if (offset !== undefined) setRead((before) => ({ ...before, problem: 'too-long' }))
    }
    setRead(NOTHING)
    readAll().catch(() => {
      if (current) setRead((before) => ({ ...before, problem: 'failed' }))
    })
    return () => {
      current = false
    }
  }, [head, whole, readText, round])
  return { ...read, again: () => setRound((count) => count + 1) }
}
