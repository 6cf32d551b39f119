import { describe, expect, it } from 'vitest'
import { linkedTransports } from './linked-transport.ts'
import type { TransportSink } from './transport.ts'

function listener() {
  const heard: unknown[] = []
  let closed = 0
  const sink: TransportSink = { message: (value) => heard.push(value), lost: () => {}, closed: () => closed++, remark: () => {} }
  return { sink, heard, closed: () => closed }
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const

describe('linked transports', () => {
  it('carry messages in order, even those sent before the other end began (TRAN-73, TRAN-74)', async () => {
    const [left, right] = linkedTransports()
    const { sink, heard } = listener()
    await left.send(ping(1))
    await right.start(sink)
    await left.send(ping(2))
    await left.send(ping(3))
    expect(heard).toEqual([ping(1), ping(2), ping(3)])
    await left.close()
  })

  it('share nothing by reference', async () => {
    const [left, right] = linkedTransports()
    const { sink, heard } = listener()
    await right.start(sink)
    const message = { ...ping(1), params: { list: [1] } }
    await left.send(message)
    message.params.list.push(2)
    await right.close()
    expect(heard).toEqual([{ ...ping(1), params: { list: [1] } }])
  })

  it('close both ends once, after messages on the way', async () => {
    const [left, right] = linkedTransports()
    const [near, far] = [listener(), listener()]
    await left.start(near.sink)
    await right.start(far.sink)
    void left.send(ping(1))
    await left.close()
    await right.close()
    await Promise.resolve()
    expect([near.closed(), far.closed(), far.heard.length]).toEqual([1, 1, 1])
    await expect(right.send(ping(2))).rejects.toMatchObject({ name: 'TransportError', code: 'closed' })
  })
})
