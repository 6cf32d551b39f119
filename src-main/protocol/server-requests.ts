import type { Cause, ClientFeatures } from './peer/client-features.ts'
import { type Border, type Fields, ShapeError } from './shapes/border.ts'
import { elicitAnswer, elicitParams } from './shapes/elicitation-shapes.ts'
import { ErrorCode, ProtocolError } from './shapes/json-rpc.ts'
import { LimitError } from './shapes/limits.ts'
import { createMessageAnswer, createMessageParams } from './shapes/sampling-shapes.ts'
import type { Traits } from './shapes/version-traits.ts'

/**
 * Checks a request of a server, and throws ProtocolError when it is invalid. Returns the function that serves it and puts the answer
 * into the form of the revision.
 */
export type ServerMethod = (params: Fields, border: Border) => Serve
export type Serve = (cause: Cause) => Promise<Fields>

/** The requests that this session serves: declared, and part of the revision. */
export function serverMethods(features: ClientFeatures, traits: Traits): ReadonlyMap<string, ServerMethod> {
  const methods = new Map<string, ServerMethod>()
  const { roots, sampling, elicitation } = features
  if (roots) {
    methods.set('roots/list', () => async (cause) => {
      const result = await roots.list(cause)
      // Roots are folders and files of this computer, sent with uri and name alone (ROOT-05, ROOT-21).
      const shared = result.roots.filter(({ uri }) => uri.startsWith('file://'))
      return { roots: shared.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })) }
    })
  }
  if (sampling) {
    methods.set('sampling/createMessage', (params, border) => {
      const asked = checked(() => createMessageParams(params, border, sampling))
      sampling.judge?.(asked)
      return async (cause) => createMessageAnswer(await sampling.createMessage(asked, cause), border)
    })
  }
  if (elicitation && traits.elicitation) {
    methods.set('elicitation/create', (params, border) => {
      const asked = checked(() => elicitParams(params, border, elicitation.url))
      elicitation.judge?.(asked)
      return async (cause) => {
        const { content, ...answer } = await elicitation.elicit(asked, cause)
        // The answer about a visited page has no content.
        return elicitAnswer(asked.mode === 'url' || content === undefined ? answer : { ...answer, content }, border)
      }
    })
  }
  return methods
}

const REASONS: Readonly<Record<string, string>> = {
  'roots/list': 'Client does not have roots capability',
  'sampling/createMessage': 'Client does not have sampling capability',
  'elicitation/create': 'Client does not have elicitation capability in this revision',
}

/** The answer to a request that is not served (MSG-12, ROOT-07). */
export function notServed(method: string): ProtocolError {
  const reason = Object.hasOwn(REASONS, method) ? REASONS[method] : undefined
  return new ProtocolError(ErrorCode.methodNotFound, 'Method not found', reason === undefined ? undefined : { reason })
}

function checked<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof ShapeError || error instanceof LimitError) {
      throw new ProtocolError(ErrorCode.invalidParams, `Invalid params: ${error.message}`)
    }
    throw error
  }
}
