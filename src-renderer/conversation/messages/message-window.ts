import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'

/** Messages rendered when a conversation opens. */
export const FEW = 8
/** By how many a stretch grows at a time: what is built, put on the page and laid out in one go. */
export const STEP = 5
/** Characters after which no more messages are rendered in one go. */
const CHARACTERS = 8_000
/** The most messages rendered; the others stay in memory only. */
export const MAX_BUILT = 200

/** Which of the messages that were read are built: those between two of them, which stay the same when others come. */
export interface MessageWindow {
  /** undefined: a few before the last one built. */
  readonly first: MessageId | undefined
  /** undefined: whichever is last, so that new ones are built as they come. */
  readonly last: MessageId | undefined
}

/** `start` to `end`, of which `end` is the first one left out. */
export interface MessageSpan {
  readonly start: number
  readonly end: number
}

export const AT_END: MessageWindow = { first: undefined, last: undefined }

/** An end that no longer exists counts as not set. */
export function stretchOf(messages: readonly Message[], { first, last }: MessageWindow): MessageSpan {
  const lastAt = last === undefined ? -1 : messages.findLastIndex(({ id }) => id === last)
  const end = lastAt < 0 ? messages.length : lastAt + 1
  const firstAt = first === undefined ? -1 : messages.findLastIndex(({ id }) => id === first)
  return { start: firstAt < 0 || firstAt >= end ? fewBefore(messages, end) : Math.max(firstAt, end - MAX_BUILT), end }
}

const fewBefore = (messages: readonly Message[], end: number) => end - someOf(messages, end - 1, -1, FEW)

/** How many from `at` on, in a direction, are built in one go; one at least, where there is one. */
function someOf(messages: readonly Message[], at: number, direction: 1 | -1, most: number): number {
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

/** A step further up; messages beyond MAX_BUILT leave at the other end. */
export function stepEarlier(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = stretchOf(messages, window)
  const from = start - someOf(messages, start - 1, -1, STEP)
  return windowOf(messages, { start: from, end: Math.min(end, from + MAX_BUILT) })
}

/** A step further down. */
export function stepLater(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = stretchOf(messages, window)
  const to = end + someOf(messages, end, 1, STEP)
  return windowOf(messages, { start: Math.max(start, to - MAX_BUILT), end: to })
}

/** A few from one of those that were read on: the first of all unless it is there. */
export function windowFrom(messages: readonly Message[], id?: MessageId): MessageWindow {
  const start = Math.max(
    0,
    messages.findIndex((message) => message.id === id),
  )
  return windowOf(messages, { start, end: start + someOf(messages, start, 1, FEW) })
}

/**
 * A step in whichever direction there is more, as long as nothing must go for it; the same window when there is none. What is built
 * stays built, however long the last message grows.
 */
export function stepAtLeisure(messages: readonly Message[], window: MessageWindow): MessageWindow {
  const { start, end } = stretchOf(messages, window)
  if (start === 0 && end > 0 && window.first === undefined) return windowOf(messages, { start, end })
  if (end - start + STEP > MAX_BUILT) return window
  if (start > 0) return stepEarlier(messages, window)
  return end < messages.length ? stepLater(messages, window) : window
}
