import { describe, expect, it } from 'vitest'
import { HostError } from '../../../src-shared/contract/errors.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import { resourceFailure } from './resource-errors.ts'

describe('a failed read', () => {
  it.each([-32602, -32002])('with %d says that there is no such resource (V26-RES-1)', (code) => {
    const failure = resourceFailure(new ProtocolError(code, 'nothing here'), 'files', 'a:1')
    expect(failure).toBeInstanceOf(HostError)
    expect(failure).toMatchObject({ code: 'not-found', message: '“files” has no resource “a:1” now. It said: nothing here' })
  })

  it('with -32603 does not say so (V26-RES-1)', () => {
    expect(resourceFailure(new ProtocolError(-32603, 'disk'), 'files', 'a:1')).toMatchObject({ code: 'refused' })
  })
})
