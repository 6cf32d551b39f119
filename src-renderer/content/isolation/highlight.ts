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

// Making a grammar ready takes a tenth of a second and more, and what a grammar does with a stranger's code has no bound.
const queue = new ThreadQueue<HighlightAsk, CodeLines>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
  systemClock,
)

/** Lines of coloured tokens; `broken` for a language that is not known. `time` is in milliseconds. */
export const highlight = (code: string, language: string, time: number) => queue.run({ code, language }, time)
