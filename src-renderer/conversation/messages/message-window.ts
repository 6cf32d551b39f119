import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'

/** Messages rendered when a conversation opens. */
export const FIRST_RENDERED = 8
/** Messages that a step adds, which are rendered and laid out in one go. */
export const STEP = 5
/** Characters after which no more messages are rendered in one go. */
const CHARACTERS = 8_000
/** The most messages rendered; the others stay in memory only. */
export const MAX_RENDERED = 200

/** The rendered part of the loaded messages, given by its first and last one, which stay when others come. */
export interface MessageWindow {
  /** undefined: a few before the last one. */
  readonly first: MessageId | undefined
  /** undefined: the newest, so that new messages are rendered as they come. */
  readonly last: MessageId | undefined
}

/** From `start` up to but not including `end`. */
export interface MessageSpan {
  readonly start: number
  readonly end: number
}

export const AT_END: MessageWindow = { first: undefined, last: undefined }

/** An end that no longer exists counts as not set. */
export function spanOf(messages: readonly Message[], { first, last }: MessageWindow): MessageSpan {
  const lastAt = last === undefined ? -1 : messages.findLastIndex(({ id }) => id === last)
  const end = lastAt < 0 ? messages.length : lastAt + 1
  const firstAt = first === undefined ? -1 : messages.findLastIndex(({ id }) => id === first)
  return { start: firstAt < 0 || firstAt >= end ? fewBefore(messages, end) : Math.max(firstAt, end - MAX_RENDERED), end }
}

const fewBefore = (messages: readonly Message[], end: number) => end - stepSize(messages, end - 1, -1, FIRST_RENDERED)

/** The number of messages from `at` on that are rendered in one go: at least one, where there is one. */
function stepSize(messages: readonly Message[], at: number, direction: 1 | -1, most: number): number {
  let count = 0
  let characters = 0
  while (count < most && characters < CHARACTERS) {
    const message = messages[at + direction * count]
    if (!message) break
    count += 1
    for (const part of message.parts) if (part.type === 'text') characters += part.text.length
  }
  return count
}

function windowOf(messages: readonly Message[], { start, end }: MessageSpan): MessageWindow {
  return { first: messages[start]?.id, last: end >= messages.length ? undefined : messages[end - 1]?.id }
}

/** A step up; messages beyond MAX_RENDERED leave at the other end. */
export function stepEarlier(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = spanOf(messages, window)
  const from = start - stepSize(messages, start - 1, -1, STEP)
  return windowOf(messages, { start: from, end: Math.min(end, from + MAX_RENDERED) })
}

export function stepLater(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = spanOf(messages, window)
  const to = end + stepSize(messages, end, 1, STEP)
  return windowOf(messages, { start: Math.max(start, to - MAX_RENDERED), end: to })
}

/** A few messages from the given one on, or from the first when it is not loaded. */
export function windowFrom(messages: readonly Message[], id?: MessageId): MessageWindow {
  const start = Math.max(
    0,
    messages.findIndex((message) => message.id === id),
  )
  return windowOf(messages, { start, end: start + stepSize(messages, start, 1, FIRST_RENDERED) })
}

/**
 * A step in either direction, by turns, that removes no message; the same window when there is none. Rendered messages stay, however long
 * the last one grows.
 */
export function stepWhenIdle(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = spanOf(messages, window)
  if (start === 0 && end > 0 && window.first === undefined) return windowOf(messages, { start, end })
  if (end - start + STEP > MAX_RENDERED) return window
  const isOdd = Math.floor((end - start) / STEP) % 2 === 1
  if (end < messages.length && (isOdd || start === 0)) return stepLater(messages, window)
  return start > 0 ? stepEarlier(messages, window) : window
}
