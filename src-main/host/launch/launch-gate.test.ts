import { describe, expect, it } from 'vitest'
import { LaunchGate } from './launch-gate.ts'

const forever = new AbortController().signal

describe('the launch gate', () => {
  it('admits a limited number at a time, in order', async () => {
    const gate = new LaunchGate(2)
    const order: number[] = []
    const entering = [0, 1, 2, 3].map((n) =>
      gate.enter(forever).then((leave) => {
        order.push(n)
        return leave
      }),
    )
    const [first, second] = await Promise.all(entering.slice(0, 2))
    expect(order).toEqual([0, 1])
    first?.()
    first?.() // taken once
    const third = await entering[2]
    expect(order).toEqual([0, 1, 2])
    second?.()
    third?.()
    await entering[3]
    expect(order).toEqual([0, 1, 2, 3])
  })

  it('forgets callers that gave up waiting', async () => {
    const gate = new LaunchGate(1)
    const leave = await gate.enter(forever)
    const controller = new AbortController()
    const waiting = gate.enter(controller.signal)
    const next = gate.enter(forever)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(gate.enter(controller.signal)).rejects.toThrow('enough')
    leave()
    await next
  })
})
