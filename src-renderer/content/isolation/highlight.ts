import type { CSSProperties } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { ThreadQueue } from './thread-queue.ts'

export interface CodeToken {
  readonly at: number
  readonly text: string
  /** Custom properties with the colours of both themes. */
  readonly style: CSSProperties
}

export type CodeLines = readonly (readonly CodeToken[])[]

export interface HighlightAsk {
  readonly code: string
  readonly language: string
}

// Loading a grammar takes 100 ms or more, and its cost on a stranger's code has no bound.
const queue = new ThreadQueue<HighlightAsk, CodeLines>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
  systemClock,
)

/** Lines of coloured tokens; `broken` for an unknown language. `time` in milliseconds. */
export const highlight = (code: string, language: string, time: number) => queue.run({ code, language }, time)
