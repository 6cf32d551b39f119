import { describe, expect, it } from 'vitest'
import { TrafficLog } from './traffic-log.ts'
import { withoutRounds } from './without-rounds.ts'

const STATE = 'a secret of the server "} \\ ,'
const message = {
  id: 7,
  params: {
    name: 'book',
    arguments: { a: [1, { b: 2 }] },
    inputResponses: { who: { action: 'accept', content: { name: 'Ada "the" {first}' } }, where: { roots: [] } },
    requestState: STATE,
    _meta: { a: 1 },
  },
}

describe('the traffic of rounds', () => {
  it('shows everything but the state and the answers (V26-MRTR-19)', () => {
    const traffic = new TrafficLog(() => 0)
    traffic.tap({ direction: 'sent', text: JSON.stringify(message) })
    const shown = JSON.parse(traffic.read().entries[0]?.text ?? '')
    expect(shown).toEqual({
      ...message,
      params: {
        ...message.params,
        inputResponses: expect.stringMatching(/^… \(\d+ characters\)$/),
        requestState: expect.stringMatching(/^… \(\d+ characters\)$/),
      },
    })
  })

  it('shows neither, wherever the text is cut', () => {
    const whole = JSON.stringify({ requestState: 'SECRET', inputResponses: { a: 'SECRET' } })
    for (let end = 0; end <= whole.length; end++) {
      expect(withoutRounds(whole.slice(0, end))).not.toMatch(/SEC/)
    }
    const traffic = new TrafficLog(() => 0)
    traffic.tap({ direction: 'received', text: JSON.stringify({ requestState: 'SECRET'.repeat(100_000), after: 1 }) })
    expect(traffic.read().entries[0]?.text).not.toContain('SECRET')
  })

  it.each(['null', '7', 'true', '[1,{"a":"]"}]', '"\\""', '{}'])('leaves out a state of any value: %s', (value) => {
    expect(JSON.parse(withoutRounds(`{"requestState": ${value},"after":1}`)).after).toBe(1)
    expect(JSON.parse(withoutRounds(`{"before":1,"requestState":${value}}`)).before).toBe(1)
  })

  it('leaves other messages unchanged', () => {
    const text = '{"params":{"text":"\\"requestState\\":\\"x\\""}}'
    expect(withoutRounds(text)).toBe(text)
  })
})
