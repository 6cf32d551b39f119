import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import {
  AT_END,
  type MessageSpan,
  type MessageWindow,
  stepAtLeisure,
  stepEarlier,
  stepLater,
  stretchOf,
  windowFrom,
} from './message-window.ts'
import type { Reading } from './use-earlier-messages.ts'

/** The distance to an end at which more messages are rendered: in heights of the list, and at most so many pixels. */
const AHEAD = 1.5
const MAX_AHEAD = 1500
/** With fewer messages left above the rendered ones, the page before them is read. */
const READ_AHEAD = 40

interface BuiltMessages extends MessageSpan {
  /** Call it when the list was scrolled. */
  look(): void
  /**
   * Reads as far as a message, or all that is before; resolves when it is about to be built, as the first one, with false when it could
   * not be read.
   */
  goTo(message: MessageId | 'start'): Promise<boolean>
  goToEnd(): void
  stepEarlier(): Promise<void>
  stepLater(): void
}

/** The rendered messages: few at first, more as one scrolls near them, and some more when idle for the search on the page. */
export function useMessageWindow(reading: Reading, scroller: RefObject<HTMLElement | null>): BuiltMessages {
  const [window, setWindow] = useState<MessageWindow>(AT_END)
  const { messages, hasEarlier, loading, problem, loadEarlier } = reading
  const { start, end } = stretchOf(messages, window)
  const latest = useRef(reading)
  latest.current = reading

  const change = useCallback((step: (messages: Reading['messages'], window: MessageWindow) => MessageWindow) => {
    // A transition renders them between other work and shows them at once.
    startTransition(() => setWindow((now) => step(latest.current.messages, now)))
  }, [])

  const stepping = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step has ended when the window changes
  useEffect(() => {
    stepping.current = false
  }, [window])

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const ahead = Math.min(MAX_AHEAD, AHEAD * element.clientHeight)
    const nearStart = element.scrollTop < ahead
    const nearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ahead
    if (nearStart && start < READ_AHEAD && hasEarlier && !loading && problem === undefined) void loadEarlier()
    if (stepping.current) return
    const step = nearStart && start > 0 ? stepEarlier : nearEnd && end < messages.length ? stepLater : undefined
    if (!step) return
    stepping.current = true
    change(step)
  }, [scroller, change, start, end, messages.length, hasEarlier, loading, problem, loadEarlier])

  // The last step may have left room.
  useEffect(() => look(), [look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: one step after the other, until there is none
  useEffect(() => atLeisure(() => change(stepAtLeisure)), [change, window, messages.length])

  return {
    start,
    end,
    look,
    async goTo(message) {
      const isRead = message !== 'start' && messages.some(({ id }) => id === message)
      const far = message === 'start' ? 'all' : { to: message }
      const read = hasEarlier && !isRead ? await loadEarlier(far) : messages
      if (!read || (message !== 'start' && !read.some(({ id }) => id === message))) return false
      change(() => windowFrom(read, message === 'start' ? undefined : message))
      return true
    },
    goToEnd: useCallback(() => setWindow(AT_END), []),
    async stepEarlier() {
      if (start > 0) change(stepEarlier)
      else await loadEarlier()
    },
    stepLater: () => change(stepLater),
  }
}

/** Returns the undo. */
function atLeisure(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') return () => {}
  const id = requestIdleCallback(run)
  return () => cancelIdleCallback(id)
}
