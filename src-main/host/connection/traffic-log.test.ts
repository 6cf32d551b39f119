import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { redactor } from '../core/redact.ts'
import { TrafficLog } from './traffic-log.ts'

describe('the traffic of a server', () => {
  it('is kept with method and id, and can be read from a number on', () => {
    const log = new TrafficLog(() => 42)
    log.tap({ direction: 'sent', text: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"method":"no"}}' })
    log.tap({ direction: 'received', text: '{"jsonrpc":"2.0","id":7,"result":{}}' })
    log.tap({ direction: 'http', text: 'POST https://x.example/ 200' })
    const { entries } = log.read()
    expect(entries.map(({ n, at, method, id }) => [n, at, method, id])).toEqual([
      [1, 42, 'tools/call', '7'],
      [2, 42, undefined, '7'],
      [3, 42, undefined, undefined],
    ])
    expect(log.read(2).entries.map((entry) => entry.n)).toEqual([3])
    expect(log.read(3)).toEqual({ entries: [], dropped: 0 })
  })

  it('marks an answer that is an error', () => {
    const log = new TrafficLog(() => 0)
    log.tap({ direction: 'received', text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}' })
    log.tap({ direction: 'received', text: '{"jsonrpc":"2.0","id":2,"result":{"error":{}}}' })
    expect(log.read().entries.map(({ failed }) => failed)).toEqual([true, undefined])
  })

  it('is bounded in entries and in size, and says how many are gone (SEC-23)', () => {
    const log = new TrafficLog(() => 0)
    for (let n = 0; n < 3000; n++) log.tap({ direction: 'received', text: `{"n":${n}}` })
    expect(log.read().dropped).toBe(1000)
    for (let n = 0; n < 1000; n++) log.tap({ direction: 'received', text: 'x'.repeat(20_000) })
    let after = 0
    let characters = 0
    for (let page = log.read(after); page.entries.length > 0; page = log.read(after)) {
      expect(JSON.stringify(page).length).toBeLessThan(700_000)
      characters += page.entries.reduce((sum, entry) => sum + entry.text.length, 0)
      after = page.entries.at(-1)?.n ?? after
    }
    expect(after).toBe(4000)
    expect(characters).toBeLessThanOrEqual(4 * 1024 * 1024)
  })

  it('never keeps a piece of a secret at a cut (SEC-25)', () => {
    const secret = 'correct-horse-battery-staple'
    const front = secret.repeat(3)
    for (let at = 16 * 1024 - 60; at <= 16 * 1024 + 60; at++) {
      const log = new TrafficLog(() => 0)
      log.protect(redactor([secret]))
      // Secrets in front shorten the text, which moves what stands at the cut.
      log.tap({ direction: 'received', text: `${front}${'x'.repeat(at - front.length)}${secret} tail` })
      expect(log.read().entries[0]?.text).not.toContain('corr')
    }
  })

  it('shows method and id of a message that was cut', () => {
    const log = new TrafficLog(() => 0)
    log.tap({ direction: 'received', text: `{"jsonrpc":"2.0","id":"a","method":"x/y","params":"${'z'.repeat(50_000)}"}` })
    expect(log.read().entries[0]).toMatchObject({ method: 'x/y', id: 'a' })
    expect(log.read().entries[0]?.bytes).toBeGreaterThan(50_000)
  })
})

it('a long message keeps its head, and not the memory of the whole', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const log = new TrafficLog(() => 0)
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  for (let n = 0; n < 20; n++) log.tap({ direction: 'received', text: Buffer.alloc(2 ** 21, `{"id":${n}} `).toString('latin1') })
  expect(used() - before).toBeLessThan(2 ** 23)
  expect(log.read().entries).toHaveLength(20)
})
