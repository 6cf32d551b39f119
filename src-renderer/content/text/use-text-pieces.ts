import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { type TextPage, textPages } from '../../state/read-text.ts'
import { cutPieces, type TextPiece } from './text-pieces.ts'

/** Characters that are cut in one go, when the text is here already. */
const BITE = 512 * 1024
/** Characters of one text that a window keeps at most. */
const MAX_COUNT = 64 * 1024 * 1024

export interface ReadText {
  readonly pieces: readonly TextPiece[]
  /** How far it was read, 0 to 1; undefined when that is all of it. */
  readonly share: number | undefined
  readonly problem: 'failed' | 'too-long' | undefined
  again(): void
}

const NOTHING = { pieces: [], share: 0, problem: undefined }

/** A text in pieces, of which the part that did not travel is read bite by bite while this is mounted. */
export function useTextPieces({ text: head, whole }: BoundedText): ReadText {
  const [read, setRead] = useState<Omit<ReadText, 'again'>>(NOTHING)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads it once more
  useEffect(() => {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const size = whole?.bytes ?? head.length
    const readAll = async () => {
      let rest = ''
      for await (const { text: bite, next } of whole ? textPages(whole.blob, signal) : bitesOf(head)) {
        if (signal.aborted) return
        // A line that goes on in the next bite waits for it, unless it goes on and on.
        const text = rest + bite
        const lineEnd = next === undefined ? -1 : text.lastIndexOf('\n')
        const end = lineEnd < 0 ? text.length : lineEnd + 1
        rest = text.slice(end)
        const more = cutPieces(text.slice(0, end))
        const share = next === undefined ? undefined : next / size
        const tooLong = next !== undefined && next >= MAX_COUNT
        setRead(({ pieces }) => ({ pieces: [...pieces, ...more], share, problem: tooLong ? 'too-long' : undefined }))
        if (tooLong) return
      }
    }
    setRead(NOTHING)
    readAll().catch(() => signal.aborted || setRead((before) => ({ ...before, problem: 'failed' })))
    return () => giveUp.abort()
  }, [head, whole, round])
  return { ...read, again: () => setRound((count) => count + 1) }
}

/** A text that is here, with room for other work between its bites. */
async function* bitesOf(text: string): AsyncGenerator<TextPage> {
  for (let from = 0; from === 0 || from < text.length; from += BITE) {
    await new Promise<void>((resolve) => systemClock.after(0, resolve))
    const next = from + BITE
    yield { text: text.slice(from, next), ...(next < text.length && { next }) }
  }
}
