import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { problemOf } from '../labels/server-labels.ts'
import { applies } from './apply-remedy.ts'

/** The best remedy for a server that does not run, for its row in the list; undefined where there is none. */
export function firstRemedy(server: ServerRecord): Remedy | undefined {
  const { state, launch, signIn } = server
  const best = problemOf(server)?.remedies?.find((remedy) => applies(remedy, launch))
  if (best) return best
  if (state.is === 'failed') return { is: 'start' }
  if (state.is === 'asking') return { is: 'review' }
  // One that is under way goes on by itself.
  return state.is === 'needs-sign-in' && (!signIn || signIn.is === 'needed') ? { is: 'sign-in' } : undefined
}
