import type { Clock } from '../../../src-shared/base/clock.ts'
import type { AuthorizationAnswer, AuthorizationQuestion } from '../../../src-shared/contract/authorization.ts'
import type { About } from '../../../src-shared/contract/interactions.ts'
import { AuthorizationError } from '../../auth/authorization-error.ts'
import type { Person, SignInQuestion, TakeAddress } from '../../auth/person.ts'
import { InteractionExpired, type Interactions, TooManyQuestions } from '../core/interactions.ts'
import type { Platform } from '../core/platform.ts'

export interface SignInPersonParts {
  readonly about: About
  readonly interactions: Interactions
  readonly platform: Pick<Platform, 'shell' | 'openExternal'>
  readonly clock: Clock
  readonly remark: (text: string) => void
  readonly onAsk: (host: string, take: TakeAddress) => void
  readonly onWait: (host: string, url: string, since: number) => void
  readonly onForeign: () => void
}

/** The person in front of a window, asked by questions like every other (AUTH-24): nothing is opened before they say so. */
export function signInPerson(parts: SignInPersonParts): Person {
  const { about, interactions, platform, clock, remark } = parts
  const opens = platform.shell === 'electron' ? 'host' : 'page'
  const ask = (
    step: AuthorizationQuestion['step'],
    { host, issuer, tokenHost, scopes, reason, url, redirectUri }: SignInQuestion,
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
            return answer.decision === 'continue' && step === 'waiting' ? 'The page was opened already.' : undefined
          },
        },
      ),
    )
  return {
    async confirm(question, take, signal) {
      parts.onAsk(question.host, take)
      const { decision } = await ask('ask', question, take, signal)
      if (decision === 'cancel') return false
      if (decision === 'paste') return aborted(signal)
      if (opens === 'host') {
        try {
          await platform.openExternal(question.url)
        } catch (error) {
          // The link can still be copied, and the address it ends at pasted.
          remark(`The browser could not be opened: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      return true
    },
    async wait(question, take, signal) {
      parts.onWait(question.host, question.url, clock.now())
      const { decision } = await ask('waiting', question, take, signal)
      if (decision === 'paste') await aborted(signal)
    },
    foreign: () => parts.onForeign(),
    async clientFor(question, signal) {
      const { host } = new URL(question.issuer)
      const answer = await explained(
        interactions.ask('client-registration', about, { host, ...question }, signal, {
          check: (given) => (given.decision === 'register' && given.clientId.trim() === '' ? 'Enter the client id.' : undefined),
        }),
      )
      if (answer.decision === 'decline') return undefined
      const { clientId, clientSecret } = answer
      return { clientId: clientId.trim(), ...(clientSecret && { clientSecret }) }
    },
  }
}

/** The answer is on its way; whoever waits for it ends this. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function explained<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof InteractionExpired) throw new AuthorizationError('expired', 'Nobody answered in time. Sign in again.')
    if (error instanceof TooManyQuestions) {
      throw new AuthorizationError('denied', 'Too many questions of this server are open. Answer them first.')
    }
    throw error
  }
}
