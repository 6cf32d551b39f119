import { describe, expect, it } from 'vitest'
import { TransportError } from '../../protocol/peer/transport.ts'
import { RequestError } from '../../protocol/shapes/json-rpc.ts'
import { callProblem } from './call-failures.ts'

const http = (status: number) => callProblem(new TransportError('http', `HTTP ${status}`, { status }), 'far')

describe('a call without a result', () => {
  it('may have taken effect when its answer was lost, or the server failed on it (V26-HTTP-24)', () => {
    const lost = callProblem(new TransportError('closed', 'The stream ended before the reply came.'), 'far')
    for (const problem of [lost, http(500), http(502)]) expect(problem.todo).toContain('may have taken effect')
  })

  it('did not run when the server refused it by a status; one too large can be shortened (V26-HTTP-20)', () => {
    for (const status of [400, 404, 413, 431]) {
      expect(http(status)).toMatchObject({ code: 'refused', what: '“far” did not accept the call.', said: `HTTP ${status}` })
      expect(http(status).todo).not.toContain('may have taken effect')
    }
    expect(http(413).todo).toBe('Call the tool again with shorter arguments.')
    expect(http(431).todo).toBe('Call the tool again with shorter arguments.')
  })

  it('was not made when an argument cannot be a header, and says which (V26-HTTP-13)', () => {
    const problem = callProblem(new RequestError('not-sent', 'tools/call', 'The argument “n” travels as a header.'), 'far')
    expect(problem).toMatchObject({ code: 'invalid-arguments', said: expect.stringContaining('“n”') })
  })
})
