import { useEffect, useState } from 'react'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'

/** Milliseconds after the last letter for which a field counts as being typed in. */
export const TYPING_PAUSE = 1000

interface Typed {
  readonly field: EventTarget | null
  readonly at: number
}

let last: Typed = { field: null, at: Number.NEGATIVE_INFINITY }

/** Watches where someone types. Call once. Returns the undo. */
export function watchTyping(page: Document, clock: Clock): () => void {
  const note = (event: Event) => {
    last = { field: event.target, at: clock.now() }
  }
  page.addEventListener('input', note, true)
  return () => page.removeEventListener('input', note, true)
}

/** A field that was emptied, such as by sending, is not being typed in. */
function isEmpty(field: EventTarget | null): boolean {
  return field !== null && 'value' in field && field.value === ''
}

/** Milliseconds until the focus may be taken: 0 unless the focused field was typed in within the last second. */
export function typingPause(typed: Typed, focused: EventTarget | null, now: number): number {
  if (typed.field === null || typed.field !== focused || isEmpty(typed.field)) return 0
  return Math.max(0, typed.at + TYPING_PAUSE - now)
}

/** False while someone types; then true for as long as `question` stays the same. */
export function useTypingPaused(question: string | undefined): boolean {
  const [ready, setReady] = useState<string>()
  useEffect(() => {
    if (question === undefined) return
    let stop = () => {}
    const look = () => {
      const wait = typingPause(last, document.activeElement, systemClock.now())
      if (wait === 0) setReady(question)
      else stop = systemClock.after(wait, look)
    }
    look()
    return () => stop()
  }, [question])
  return question !== undefined && ready === question
}
