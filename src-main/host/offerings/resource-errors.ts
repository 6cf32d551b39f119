import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import { ErrorCode, ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { cut } from '../core/content-views.ts'
import { asHostError } from '../core/host-errors.ts'

const SAID_LIMIT = 600

/** Explains why a resource could not be read; a missing one is no failure of the server (RES-21). */
export function resourceFailure(error: unknown, serverName: string, uri: string): unknown {
  const server = `“${cut(serverName, 80)}”`
  const shown = `“${cut(uri, 200)}”`
  if (error instanceof ProtocolError) {
    const said = itSaid(error)
    if (error.code === ErrorCode.resourceNotFound || error.code === ErrorCode.invalidParams) {
      return new HostError('not-found', `${server} has no resource ${shown} now. ${said}`)
    }
    if (error.code === ErrorCode.methodNotFound) return new HostError('unavailable', `${server} has no resources. ${said}`)
    return new HostError(
      'refused',
      `${server} could not read ${shown} (error ${error.code}). ${said} Try again, or look at its log.`,
    )
  }
  if (error instanceof RequestError && error.code === 'too-large') {
    return new HostError('refused', `${shown} is too large for one answer. Ask ${server} for a part of it.`)
  }
  return common(error, server)
}

/** Explains why a prompt could not be read (PROMPT-12). */
export function promptFailure(error: unknown, serverName: string, prompt: string): unknown {
  const server = `“${cut(serverName, 80)}”`
  if (error instanceof ProtocolError) {
    const why = error.code === ErrorCode.invalidParams ? 'does not take these arguments or has no such prompt' : 'failed'
    return new HostError('refused', `${server}: the prompt “${cut(prompt, 80)}” ${why} (error ${error.code}). ${itSaid(error)}`)
  }
  return common(error, server)
}

function common(error: unknown, server: string): unknown {
  if (error instanceof RequestError && error.code === 'timeout') {
    return new HostError('unavailable', `${server} did not answer in time. Try again, or raise its time limit.`)
  }
  return asHostError(error) ?? error
}

const itSaid = (error: ProtocolError): string => `It said: ${cut(redactUnknown(error.message), SAID_LIMIT)}`
