import type { CSSProperties } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { ThreadQueue } from './thread-queue.ts'

export interface CodeToken {
  readonly at: number
  readonly text: string
  /** Custom properties with the colours of the light and the dark theme. */
  readonly style: CSSProperties
}

export type CodeLines = readonly (readonly CodeToken[])[]

export interface HighlightAsk {
  readonly code: string
  readonly language: string
}

/** Milliseconds that one piece of code may take: what takes longer is read without colours. */
const DEADLINE = 10_000

// Making a grammar ready takes a tenth of a second and more, and what a grammar does with a stranger's code has no bound.
const queue = new ThreadQueue<HighlightAsk, CodeLines>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
  systemClock,
  DEADLINE,
)

/** Lines of coloured tokens; undefined for a language that is not known, and for what takes too long. */
export const highlight = (code: string, language: string) => queue.run({ code, language })
