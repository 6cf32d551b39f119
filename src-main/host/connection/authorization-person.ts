import type { AuthorizationAnswer, AuthorizationQuestion } from '../../../src-shared/contract/authorization.ts'
import type { About } from '../../../src-shared/contract/interactions.ts'
import { AuthorizationError } from '../../auth/authorization-error.ts'
import type { AuthorizationRequest, Person, TakeAddress } from '../../auth/person.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired, TooManyQuestions } from '../core/interactions.ts'

/** Asks the person by interactions (AUTH-24); no page is opened before they allow it. */
export function authorizationPerson(
  about: About,
  { interactions, platform }: Pick<HostCore, 'interactions' | 'platform'>,
  remark: (text: string) => void,
): Person {
  const opens = platform.shell === 'electron' ? 'host' : 'page'
  const ask = (
    step: AuthorizationQuestion['step'],
    { host, issuer, tokenHost, scopes, reason, url, redirectUri }: AuthorizationRequest,
    take: TakeAddress,
    signal: AbortSignal,
  ): Promise<AuthorizationAnswer> =>
    explained(
      interactions.ask(
        'authorization',
        about,
        { step, reason, host, issuer: new URL(issuer).host, tokenHost, scopes, url, redirectUri, opens },
        signal,
        {
          continues: step === 'waiting',
          check: (answer) => {
            if (answer.decision === 'paste') return take(answer.address)
            return answer.decision === 'continue' && step === 'waiting' ? 'The page is already open.' : undefined
          },
        },
      ),
    )
  return {
    async confirm(request, take, signal) {
      const { decision } = await ask('ask', request, take, signal)
      if (decision === 'cancel') return false
      if (decision === 'paste') return untilAborted(signal)
      if (opens === 'host') {
        try {
          await platform.openExternal(request.url)
        } catch (error) {
          // The person can still copy the link, and paste the address it ends at.
          remark(`The browser could not be opened: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      return true
    },
    async wait(request, take, signal) {
      const { decision } = await ask('waiting', request, take, signal)
      if (decision === 'paste') await untilAborted(signal)
    },
    async clientFor(question, signal) {
      const { host } = new URL(question.issuer)
      const answer = await explained(
        interactions.ask('client-registration', about, { host, ...question }, signal, {
          check: (given) => (given.decision === 'register' && given.clientId.trim() === '' ? 'Enter the client ID.' : undefined),
        }),
      )
      if (answer.decision === 'decline') return undefined
      const { clientId, clientSecret } = answer
      return { clientId: clientId.trim(), ...(clientSecret && { clientSecret }) }
    },
  }
}

/** Waits after a pasted address, which reaches the flow by `take`; the flow then aborts the signal. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function explained<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof InteractionExpired) throw new AuthorizationError('expired', 'No answer in time. Sign in again.')
    if (error instanceof TooManyQuestions) {
      throw new AuthorizationError('denied', 'This server has too many open questions. Answer them first.')
    }
    throw error
  }
}
