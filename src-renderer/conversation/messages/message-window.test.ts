import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import {
  AT_END,
  FEW,
  MAX_BUILT,
  type MessageWindow,
  STEP,
  stepAtLeisure,
  stepEarlier,
  stepLater,
  stretchOf,
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
    expect(stretchOf(many(0, 1000), AT_END)).toEqual({ start: 1000 - FEW, end: 1000 })
    const long = [...many(0, 100), message(100, 'x'.repeat(30_000))]
    expect(stretchOf(long, AT_END)).toEqual({ start: 100, end: 101 })
    expect(stretchOf([], AT_END)).toEqual({ start: 0, end: 0 })
  })

  it('never builds more than its most, however far one scrolls up and back', () => {
    const all = many(0, 5000)
    const up = repeat(100, (window) => stepEarlier(all, window), AT_END)
    const top = stretchOf(all, up)
    expect(top.end - top.start).toBe(MAX_BUILT)
    expect(top.start).toBe(5000 - FEW - 100 * STEP)
    const down = repeat(200, (window) => stepLater(all, window), up)
    expect(stretchOf(all, down)).toEqual({ start: 5000 - MAX_BUILT, end: 5000 })
    expect(down.last).toBeUndefined()
  })

  it('takes fewer in one go when they are long, and one at least', () => {
    const all = Array.from({ length: 100 }, (_, n) => message(n, 'x'.repeat(n < 50 ? 5000 : 30_000)))
    expect(stretchOf(all, stepEarlier(all, { first: all[80]?.id, last: all[90]?.id }))).toEqual({ start: 79, end: 91 })
    expect(stretchOf(all, stepLater(all, { first: all[80]?.id, last: all[90]?.id }))).toEqual({ start: 80, end: 92 })
    expect(stretchOf(all, stepEarlier(all, { first: all[40]?.id, last: all[45]?.id }))).toEqual({ start: 38, end: 46 })
    expect(stretchOf(all, stepLater(all, { first: all[40]?.id, last: all[42]?.id }))).toEqual({ start: 40, end: 45 })
  })

  it('stays at the same messages when earlier ones are read, and follows new ones at the end', () => {
    const window = stepEarlier(many(100, 300), AT_END)
    expect(stretchOf(many(100, 300), window)).toEqual({ start: 200 - FEW - STEP, end: 200 })
    expect(stretchOf(many(0, 300), window)).toEqual({ start: 300 - FEW - STEP, end: 300 })
    expect(stretchOf(many(0, 310), window)).toEqual({ start: 300 - FEW - STEP, end: 310 })
    expect(stretchOf(many(0, 2000), window)).toEqual({ start: 2000 - MAX_BUILT, end: 2000 })
  })

  it('goes to the end when the message that it ends with was removed', () => {
    const first = windowFrom(many(0, 300))
    expect(stretchOf(many(0, 300), first)).toEqual({ start: 0, end: FEW })
    expect(stretchOf(many(50, 300), first)).toEqual({ start: 250 - FEW, end: 250 })
  })

  it('begins with a message that someone goes to, with few after it, and grows both ways', () => {
    const all = many(0, 300)
    const there = windowFrom(all, all[120]?.id)
    expect(stretchOf(all, there)).toEqual({ start: 120, end: 120 + FEW })
    expect(stretchOf(all, stepEarlier(all, there))).toEqual({ start: 120 - STEP, end: 120 + FEW })
    expect(stretchOf(all, windowFrom(all, all[299]?.id))).toEqual({ start: 299, end: 300 })
    expect(stretchOf(all, windowFrom(all, 'gone' as MessageId))).toEqual({ start: 0, end: FEW })
  })

  it('grows at leisure in whichever direction there is more, until it holds its most', () => {
    const all = many(0, 1000)
    const full = repeat(50, (window) => stepAtLeisure(all, window), windowFrom(all))
    expect(stretchOf(all, full)).toEqual({ start: 0, end: FEW + 38 * STEP })
    expect(stepAtLeisure(all, full)).toBe(full)
    const short = many(0, 30)
    const whole = repeat(5, (window) => stepAtLeisure(short, window), AT_END)
    expect(stretchOf(short, whole)).toEqual({ start: 0, end: 30 })
    expect(stepAtLeisure(short, whole)).toBe(whole)
  })

  it('keeps what is built while the last message grows', () => {
    const window = stepAtLeisure(many(0, 2), AT_END)
    const grown = [message(0), message(1, 'x'.repeat(30_000))]
    expect(stretchOf(grown, window)).toEqual({ start: 0, end: 2 })
    expect(stepAtLeisure(grown, window)).toBe(window)
    expect(stepAtLeisure([], AT_END)).toBe(AT_END)
  })
})
