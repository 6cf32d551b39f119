import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { applyTopicEvent, type LogAdded, TOPIC_LOG_LINES } from '../../../src-shared/contract/topics.ts'
import { redactor } from '../core/redact.ts'
import { ServerLog } from './server-log.ts'

function open() {
  const clock = new ManualClock()
  const events: LogAdded[] = []
  const log = new ServerLog(clock, (event) => events.push(event))
  return { clock, events, log }
}

describe('the log of a server', () => {
  it('sends the first line at once and a flood in at most ten events a second (SEC-24)', () => {
    const { clock, events, log } = open()
    for (let n = 0; n < 1000; n++) {
      log.add('stderr', `line ${n}`)
      clock.advance(1)
    }
    clock.advance(100)
    expect(events.length).toBeLessThanOrEqual(12)
    expect(events.flatMap((event) => event.lines).map((line) => line.n)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1))
  })

  it('opens with its earlier lines, so that events and value are complete together', () => {
    const { clock, events, log } = open()
    for (let n = 0; n < 1200; n++) log.add('log', `line ${n}`, { level: 'info' })
    const opened = log.value()
    const told = events.length
    clock.advance(100)
    const mirror = events.slice(told).reduce((value, event) => applyTopicEvent(value, event), opened)
    expect(mirror).toEqual(log.value())
    expect(mirror.log.length).toBe(TOPIC_LOG_LINES)
    expect(mirror.log.at(-1)).toMatchObject({ n: 1200, text: 'line 1199' })
  })

  it('bounds and redacts lines, and leaves no timer behind', () => {
    const { clock, log } = open()
    log.protect(redactor(['hidden-value']).redact)
    log.add('stderr', `hidden-value ${'x'.repeat(100_000)}`)
    log.add('stderr', 'more')
    const [line] = log.value().log
    expect(line?.text).toMatch(/^‹redacted› x/)
    expect(line?.text.length).toBeLessThan(5000)
    log.end()
    expect(clock.pending).toBe(0)
  })
})
