import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { type TextPage, textPages } from '../../state/read-text.ts'
import { cutPieces, type TextPiece } from './text-pieces.ts'

/** Characters of a local text that are cut in one task. */
const CHUNK = 512 * 1024
/** Maximum characters that a window keeps of one text. */
const MAX_LENGTH = 64 * 1024 * 1024

interface ReadText {
  readonly pieces: readonly TextPiece[]
  /** The part that was read, 0 to 1; undefined at the end. */
  readonly share: number | undefined
  readonly problem: 'failed' | 'too-long' | undefined
  reload(): void
}

const NOTHING = { pieces: [], share: 0, problem: undefined }

/** A text in pieces; the part that was not sent is read while mounted. */
export function useTextPieces({ text: head, whole }: BoundedText): ReadText {
  const [read, setRead] = useState<Omit<ReadText, 'reload'>>(NOTHING)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads it once more
  useEffect(() => {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const size = whole?.bytes ?? head.length
    const readAll = async () => {
      let rest = ''
      for await (const { text: chunk, next } of whole ? textPages(whole.blob, signal) : chunksOf(head)) {
        if (signal.aborted) return
        // A line that continues in the next chunk waits for it, unless the chunk has no line end.
        const text = rest + chunk
        const lineEnd = next === undefined ? -1 : text.lastIndexOf('\n')
        const end = lineEnd < 0 ? text.length : lineEnd + 1
        rest = text.slice(end)
        const more = cutPieces(text.slice(0, end))
        const share = next === undefined ? undefined : next / size
        const tooLong = next !== undefined && next >= MAX_LENGTH
        setRead(({ pieces }) => ({ pieces: [...pieces, ...more], share, problem: tooLong ? 'too-long' : undefined }))
        if (tooLong) return
      }
    }
    setRead(NOTHING)
    readAll().catch(() => signal.aborted || setRead((before) => ({ ...before, problem: 'failed' })))
    return () => giveUp.abort()
  }, [head, whole, round])
  return { ...read, reload: () => setRound((count) => count + 1) }
}

/** A local text in chunks, with tasks for other work in between. */
async function* chunksOf(text: string): AsyncGenerator<TextPage> {
  for (let from = 0; from === 0 || from < text.length; from += CHUNK) {
    await new Promise<void>((resolve) => systemClock.after(0, resolve))
    const next = from + CHUNK
    yield { text: text.slice(from, next), ...(next < text.length && { next }) }
  }
}
