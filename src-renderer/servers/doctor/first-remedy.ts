import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { problemOf } from '../labels/server-labels.ts'
import { appliesTo } from './apply-remedy.ts'

/** The best remedy of a server that does not run, for the list. */
export function firstRemedy(server: ServerRecord): Remedy | undefined {
  const { state, launch, signIn } = server
  const best = problemOf(server)?.remedies?.find((remedy) => appliesTo(remedy, launch))
  if (best) return best
  if (state.is === 'failed') return { is: 'start' }
  if (state.is === 'asking') return { is: 'review' }
  // A sign-in under way goes on by itself.
  return state.is === 'needs-sign-in' && (!signIn || signIn.is === 'needed') ? { is: 'sign-in' } : undefined
}
