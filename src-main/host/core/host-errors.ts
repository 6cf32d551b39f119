import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import { RoundError } from '../../client/round-error.ts'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'

/** Characters of a server's message. */
const SAID_LIMIT = 1000

/** The renderer's error for a failure below the host; undefined for an unknown family of errors. */
export function asHostError(error: unknown): HostError | undefined {
  if (error instanceof HostError) return error
  if (error instanceof StorageError) return new HostError('storage', error.message)
  if (error instanceof RoundError) {
    const said = redactUnknown(error.message).slice(0, SAID_LIMIT)
    const what = { declined: 'it did not get', limit: 'was not allowed', 'asked-wrongly': 'is not allowed' }[error.code]
    return new HostError('refused', `The server asked for something first, which ${what}: ${said}`)
  }
  if (error instanceof ProtocolError) {
    const said = redactUnknown(error.message).slice(0, SAID_LIMIT)
    return new HostError('unavailable', `The server answered with error ${error.code}: ${said}`)
  }
  if (error instanceof RequestError || error instanceof TransportError || error instanceof HandshakeError) {
    return new HostError('unavailable', redactUnknown(error.message).slice(0, SAID_LIMIT))
  }
  return undefined
}
