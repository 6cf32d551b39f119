import type { CSSProperties } from 'react'

export interface CodeToken {
  readonly at: number
  readonly text: string
  /** Custom properties with the colours of the light and the dark theme. */
  readonly style: CSSProperties
}

export type CodeLines = readonly (readonly CodeToken[])[]

export interface HighlightRequest {
  readonly id: number
  readonly code: string
  readonly language: string
}

export interface HighlightResponse {
  readonly id: number
  /** undefined for a language that is not known. */
  readonly lines: CodeLines | undefined
}

const waiting = new Map<number, (lines: CodeLines | undefined) => void>()
let working: Worker | undefined
let lastId = 0

/** In a thread of its own: making a grammar ready takes a tenth of a second and more. */
function worker(): Worker {
  if (working) return working
  working = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' })
  working.addEventListener('message', ({ data }: MessageEvent<HighlightResponse>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  // Without colours code can be read too.
  working.addEventListener('error', () => {
    for (const give of waiting.values()) give(undefined)
    waiting.clear()
  })
  return working
}

/** Lines of coloured tokens; undefined for a language that is not known. */
export function highlight(code: string, language: string): Promise<CodeLines | undefined> {
  lastId += 1
  const request: HighlightRequest = { id: lastId, code, language }
  return new Promise((resolve) => {
    waiting.set(request.id, resolve)
    worker().postMessage(request)
  })
}
