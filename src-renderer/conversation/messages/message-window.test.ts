import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import {
  AT_END,
  FIRST_RENDERED,
  MAX_RENDERED,
  type MessageWindow,
  STEP,
  spanOf,
  stepEarlier,
  stepLater,
  stepWhenIdle,
  windowFrom,
} from './message-window.ts'

const message = (n: number, text = 'hello'): Message => ({
  id: `m-${n}` as MessageId,
  turnId: 'turn' as Message['turnId'],
  role: 'user',
  at: n,
  status: 'done',
  parts: [{ type: 'text', text }],
})
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => message(from + n))
const repeat = (times: number, step: (window: MessageWindow) => MessageWindow, window: MessageWindow) =>
  Array.from({ length: times }).reduce<MessageWindow>((now) => step(now), window)

describe('the window over the messages of a conversation', () => {
  it('opens with a few at the end, and with fewer when they are long', () => {
    expect(spanOf(many(0, 1000), AT_END)).toEqual({ start: 1000 - FIRST_RENDERED, end: 1000 })
    const long = [...many(0, 100), message(100, 'x'.repeat(30_000))]
    expect(spanOf(long, AT_END)).toEqual({ start: 100, end: 101 })
    expect(spanOf([], AT_END)).toEqual({ start: 0, end: 0 })
  })

  it('never renders more than the maximum, however far one scrolls', () => {
    const all = many(0, 5000)
    const up = repeat(100, (window) => stepEarlier(all, window), AT_END)
    const top = spanOf(all, up)
    expect(top.end - top.start).toBe(MAX_RENDERED)
    expect(top.start).toBe(5000 - FIRST_RENDERED - 100 * STEP)
    const down = repeat(200, (window) => stepLater(all, window), up)
    expect(spanOf(all, down)).toEqual({ start: 5000 - MAX_RENDERED, end: 5000 })
    expect(down.last).toBeUndefined()
  })

  it('adds fewer at a time when they are long, and at least one', () => {
    const all = Array.from({ length: 100 }, (_, n) => message(n, 'x'.repeat(n < 50 ? 5000 : 30_000)))
    expect(spanOf(all, stepEarlier(all, { first: all[80]?.id, last: all[90]?.id }))).toEqual({ start: 79, end: 91 })
    expect(spanOf(all, stepLater(all, { first: all[80]?.id, last: all[90]?.id }))).toEqual({ start: 80, end: 92 })
    expect(spanOf(all, stepEarlier(all, { first: all[40]?.id, last: all[45]?.id }))).toEqual({ start: 38, end: 46 })
    expect(spanOf(all, stepLater(all, { first: all[40]?.id, last: all[42]?.id }))).toEqual({ start: 40, end: 45 })
  })

  it('stays at its messages when earlier ones are loaded, and follows new ones at the end', () => {
    const window = stepEarlier(many(100, 300), AT_END)
    expect(spanOf(many(100, 300), window)).toEqual({ start: 200 - FIRST_RENDERED - STEP, end: 200 })
    expect(spanOf(many(0, 300), window)).toEqual({ start: 300 - FIRST_RENDERED - STEP, end: 300 })
    expect(spanOf(many(0, 310), window)).toEqual({ start: 300 - FIRST_RENDERED - STEP, end: 310 })
    expect(spanOf(many(0, 2000), window)).toEqual({ start: 2000 - MAX_RENDERED, end: 2000 })
  })

  it('moves to the end when its last message was removed', () => {
    const first = windowFrom(many(0, 300))
    expect(spanOf(many(0, 300), first)).toEqual({ start: 0, end: FIRST_RENDERED })
    expect(spanOf(many(50, 300), first)).toEqual({ start: 250 - FIRST_RENDERED, end: 250 })
  })

  it('begins with the message someone opens, with few after it, and grows both ways', () => {
    const all = many(0, 300)
    const there = windowFrom(all, all[120]?.id)
    expect(spanOf(all, there)).toEqual({ start: 120, end: 120 + FIRST_RENDERED })
    expect(spanOf(all, stepEarlier(all, there))).toEqual({ start: 120 - STEP, end: 120 + FIRST_RENDERED })
    expect(spanOf(all, windowFrom(all, all[299]?.id))).toEqual({ start: 299, end: 300 })
    expect(spanOf(all, windowFrom(all, 'gone' as MessageId))).toEqual({ start: 0, end: FIRST_RENDERED })
  })

  it('grows when idle in either direction, up to the maximum', () => {
    const all = many(0, 1000)
    const full = repeat(50, (window) => stepWhenIdle(all, window), windowFrom(all))
    expect(spanOf(all, full)).toEqual({ start: 0, end: FIRST_RENDERED + 38 * STEP })
    expect(stepWhenIdle(all, full)).toBe(full)
    const short = many(0, 30)
    const whole = repeat(5, (window) => stepWhenIdle(short, window), AT_END)
    expect(spanOf(short, whole)).toEqual({ start: 0, end: 30 })
    expect(stepWhenIdle(short, whole)).toBe(whole)
  })

  it('grows as far after a message in the middle as before it', () => {
    const all = many(0, 1000)
    const { start, end } = spanOf(
      all,
      repeat(50, (window) => stepWhenIdle(all, window), windowFrom(all, all[500]?.id)),
    )
    expect([500 - start, end - 500 - FIRST_RENDERED]).toEqual([19 * STEP, 19 * STEP])
  })

  it('keeps its messages while the last one grows', () => {
    const window = stepWhenIdle(many(0, 2), AT_END)
    const grown = [message(0), message(1, 'x'.repeat(30_000))]
    expect(spanOf(grown, window)).toEqual({ start: 0, end: 2 })
    expect(stepWhenIdle(grown, window)).toBe(window)
    expect(stepWhenIdle([], AT_END)).toBe(AT_END)
  })
})
