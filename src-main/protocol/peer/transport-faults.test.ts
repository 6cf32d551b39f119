import { describe, expect, it } from 'vitest'
import { settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { bounded } from '../../../e2e/support/until.ts'
import type { JsonRpcMessage } from '../shapes/json-rpc.ts'
import { DEFAULT_LIMITS } from '../shapes/limits.ts'
import type { Cause } from './client-features.ts'
import { Peer } from './peer.ts'
import { type SendOptions, type Transport, TransportError, type TransportSink } from './transport.ts'

/** A transport whose other side is the test. */
class HandTransport implements Transport {
  readonly kind: Transport['kind']
  readonly sent: { message: JsonRpcMessage; options: SendOptions | undefined }[] = []
  sink: TransportSink | undefined
  refuse: TransportError | undefined
  blocked = false
  closes = 0

  constructor(kind: Transport['kind'] = 'stdio') {
    this.kind = kind
  }

  async start(sink: TransportSink): Promise<void> {
    this.sink = sink
  }

  async send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    this.sent.push({ message, options })
    if (this.refuse) throw this.refuse
    if (this.blocked) await new Promise(() => {})
  }

  async close(): Promise<void> {
    this.closes++
    this.sink?.closed()
  }
}

async function peerOn(transport: HandTransport, answer: (cause: Cause) => Promise<Record<string, unknown>> = async () => ({})) {
  const clock = new ManualClock()
  const remarks: string[] = []
  const peer = new Peer({
    transport,
    clock,
    limits: DEFAULT_LIMITS,
    onRemark: (text) => remarks.push(text),
    handlers: { answer: (_method, _params, cause) => answer(cause), notified: () => true },
  })
  await peer.start()
  peer.served.serve()
  const controller = new AbortController()
  const options = { signal: controller.signal, timeout: 1000, maxTime: 1000 }
  return { peer, clock, remarks, controller, options }
}

describe('a failing transport', () => {
  it('fails only the request of a message that cannot be sent', async () => {
    const transport = new HandTransport()
    const { peer, options } = await peerOn(transport)
    transport.refuse = new TransportError('http', 'The server said 500.')
    await expect(peer.request('a', {}, options)).rejects.toBe(transport.refuse)
    transport.refuse = undefined
    const call = peer.request('b', {}, options)
    transport.sink?.message({ jsonrpc: '2.0', id: 2, result: {} })
    expect(await call).toEqual({})
    await peer.close()
  })

  it('leaves no request pending that cannot be serialized or whose caller fails', async () => {
    const transport = new HandTransport()
    const { peer, options } = await peerOn(transport)
    const fault = new Error('a fault of the caller')
    transport.send = (message) => {
      JSON.stringify(message)
      return Promise.resolve()
    }
    const round: Record<string, unknown> = {}
    round.self = round
    await expect(peer.request('a', round, options)).rejects.toBeInstanceOf(TypeError)
    const onSent = () => {
      throw fault
    }
    await expect(peer.request('b', {}, { ...options, onSent })).rejects.toBe(fault)
    expect(peer.pending).toBe(0)
    await peer.close()
  })

  it.each([
    ['too-large', 'RequestError', 'too-large'],
    ['session-lost', 'RequestError', 'session-lost'],
    ['http', 'TransportError', 'http'],
  ] as const)('fails with an answer lost as %s its own request as %s', async (code, name, expected) => {
    const transport = new HandTransport()
    const { peer, options, remarks } = await peerOn(transport)
    const [lost, other] = [peer.request('a', {}, options), peer.request('b', {}, options)]
    transport.sink?.lost(new TransportError(code, 'lost'), 1)
    transport.sink?.lost(new TransportError(code, 'whose?'))
    await expect(lost).rejects.toMatchObject({ name, code: expected })
    transport.sink?.message({ jsonrpc: '2.0', id: 2, result: {} })
    expect(await other).toEqual({})
    expect(remarks).toEqual(['whose?'])
    await peer.close()
  })

  it('fails everything that waits with its reason when it ends, and nothing is repeated (LIFE-39, TRAP-35)', async () => {
    const transport = new HandTransport()
    const { peer, options } = await peerOn(transport)
    const call = peer.request('tools/call', {}, options)
    const error = new TransportError('exited', 'The server ended with code 1.', { exitCode: 1 })
    transport.sink?.closed(error)
    await expect(call).rejects.toMatchObject({ code: 'closed', message: error.message, cause: error })
    expect(await peer.closed).toBe(error)
    await expect(peer.request('b', {}, options)).rejects.toMatchObject({ code: 'closed', cause: error })
    expect(transport.sent).toHaveLength(1)
  })

  it('ends a connection whose server asks endlessly and reads nothing (SEC-24)', async () => {
    const transport = new HandTransport()
    const { peer } = await peerOn(transport)
    transport.blocked = true
    for (let id = 1; id <= 10_001; id++) transport.sink?.message({ jsonrpc: '2.0', id, method: 'ping' })
    expect(await bounded(peer.closed, 'the connection to end')).toMatchObject({ code: 'refused' })
    expect(transport.closes).toBe(1)
  })
})

describe('over HTTP', () => {
  it('a cancel is sent before the stream of the reply is dropped (TRAN-36, TRAP-25)', async () => {
    const transport = new HandTransport('streamable-http')
    const { peer, options, controller } = await peerOn(transport)
    const call = peer.request('a', {}, options).catch((error: unknown) => error)
    const wire = transport.sent[0]?.options?.controller?.signal
    controller.abort(new Error('enough'))
    expect(wire?.aborted).toBe(false)
    expect(transport.sent[1]?.message).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
    await settled()
    expect(wire?.aborted).toBe(true)
    expect(await call).toMatchObject({ message: 'enough' })
    await peer.close()
  })

  it('a request of the server belongs to the call on whose stream it came, and to none on the common stream (TRAN-76)', async () => {
    const transport = new HandTransport('streamable-http')
    const causes: Cause[] = []
    const { peer, options } = await peerOn(transport, async (cause) => {
      causes.push(cause)
      return {}
    })
    const calls = [peer.request('a', {}, options), peer.request('b', {}, options)]
    transport.sink?.message({ jsonrpc: '2.0', id: 1, method: 'x' }, { requestId: 2 })
    transport.sink?.message({ jsonrpc: '2.0', id: 1, result: {} })
    transport.sink?.message({ jsonrpc: '2.0', id: 2, method: 'x' })
    expect(causes[0]).toMatchObject({ requestId: 2, candidates: [1, 2] })
    expect(causes[1]).toMatchObject({ candidates: [2] })
    expect(causes[1]).not.toHaveProperty('requestId')
    transport.sink?.message({ jsonrpc: '2.0', id: 2, result: {} })
    await Promise.all(calls)
    await peer.close()
  })

  it('a batch in answer to a request fails that request where batches are gone (MSG-32)', async () => {
    const transport = new HandTransport('streamable-http')
    const { peer, options } = await peerOn(transport)
    const call = peer.request('a', {}, options)
    transport.sink?.message([{ jsonrpc: '2.0', id: 1, result: {} }], { requestId: 1 })
    await expect(call).rejects.toMatchObject({ code: 'invalid-result' })
    await peer.close()
  })

  it('an error without an id is matched to nothing (MSG-25, TRAP-10, V11-46)', async () => {
    const transport = new HandTransport('streamable-http')
    const { peer, options, remarks } = await peerOn(transport)
    const call = peer.request('a', {}, options)
    transport.sink?.message({ jsonrpc: '2.0', error: { code: -32600, message: 'x' } }, { requestId: 1 })
    transport.sink?.message({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'x' } })
    expect(remarks).toHaveLength(2)
    transport.sink?.message({ jsonrpc: '2.0', id: 1, result: {} })
    expect(await call).toEqual({})
    await peer.close()
  })
})
