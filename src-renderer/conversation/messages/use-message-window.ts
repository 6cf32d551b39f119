import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import {
  AT_END,
  type MessageSpan,
  type MessageWindow,
  spanOf,
  stepEarlier,
  stepLater,
  stepWhenIdle,
  windowFrom,
} from './message-window.ts'
import type { LoadedMessages } from './use-earlier-messages.ts'

/** The distance to an end at which more messages are rendered: in heights of the list, and at most so many pixels. */
const AHEAD = 1.5
const MAX_AHEAD = 1500
/** With fewer loaded messages above the rendered ones, the page before them is loaded. */
const LOAD_AHEAD = 40

interface RenderedMessages extends MessageSpan {
  /** Called when the list was scrolled. */
  look(): void
  /** Loads messages up to the given one, or all, and renders from it on. Resolves to false when it could not be loaded. */
  goTo(message: MessageId | 'start'): Promise<boolean>
  goToEnd(): void
  stepEarlier(): Promise<void>
  stepLater(): void
}

/** The rendered messages: few at first, more near the scrolled place, and more when idle, so that the browser's search finds them. */
export function useMessageWindow(loaded: LoadedMessages, scroller: RefObject<HTMLElement | null>): RenderedMessages {
  const [window, setWindow] = useState<MessageWindow>(AT_END)
  const { messages, hasEarlier, loading, problem, loadEarlier } = loaded
  const { start, end } = spanOf(messages, window)
  const latest = useRef(loaded)
  latest.current = loaded

  const change = useCallback((step: (messages: LoadedMessages['messages'], window: MessageWindow) => MessageWindow) => {
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
    if (nearStart && start < LOAD_AHEAD && hasEarlier && !loading && problem === undefined) void loadEarlier()
    if (stepping.current) return
    const step = nearStart && start > 0 ? stepEarlier : nearEnd && end < messages.length ? stepLater : undefined
    if (!step) return
    stepping.current = true
    change(step)
  }, [scroller, change, start, end, messages.length, hasEarlier, loading, problem, loadEarlier])

  // One step may not be enough to fill the screen.
  useEffect(() => look(), [look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: one step after the other, until there is none
  useEffect(() => whenIdle(() => change(stepWhenIdle)), [change, window, messages.length])

  return {
    start,
    end,
    look,
    async goTo(message) {
      const isLoaded = message !== 'start' && messages.some(({ id }) => id === message)
      const far = message === 'start' ? 'all' : { to: message }
      const read = hasEarlier && !isLoaded ? await loadEarlier(far) : messages
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

/** Returns a function that cancels. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') return () => {}
  const id = requestIdleCallback(run)
  return () => cancelIdleCallback(id)
}
