import type { AuthRequest, AuthResponse } from './auth-http.ts'
import type { Authorization } from './authorization.ts'
import { bearerChallenge } from './challenge.ts'

export interface SessionRequest extends AuthRequest {
  /** Nobody waits for it: it uses and renews tokens, and never makes a person be asked. */
  readonly aside?: boolean | undefined
  /** Beside that: a stream that is only listened to, which may open when somebody has signed in. */
  readonly waits?: boolean | undefined
  /** It holds what the server gave to one account, and is sent for no other: a person may sign in as somebody else (V26-MRTR-18). */
  readonly bound?: boolean | undefined
}

/** One request is sent at most this often: as it is, with a refreshed token, after a new sign-in, with more scopes. */
const MAX_SENDINGS = 4

/**
 * Every request of a session with its server's token: in the header and nowhere else, to the server's own origin and nowhere else
 * (AUTH-16, AUTH-17, AUTH-18, AUTH-57). What is refused is sent once more after each thing that can help, and then reported
 * (AUTH-20, AUTH-21, AUTH-60). Rejects with what `fetch` rejects with, AuthorizationError, or the signal's reason.
 */
export function authorizedFetch<Q extends SessionRequest, S extends AuthResponse>(
  fetch: (request: Q) => Promise<S>,
  authorization: Authorization,
): (request: Q) => Promise<S> {
  return async (request) => {
    const { signal, aside = false, bound = false } = request
    if (new URL(request.url).origin !== authorization.origin) return fetch(request)
    let renewed = false
    let authorized = false
    let stepped = false
    for (let sent = 1; ; sent++) {
      const token = await authorization.token(signal)
      const headers = token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` }
      const response = await fetch({ ...request, headers })
      const { status } = response
      if ((status !== 401 && status !== 403) || sent === MAX_SENDINGS) return response
      const challenge = bearerChallenge(response.headers['www-authenticate'])
      if (status === 403) {
        const scopes = challenge.scopes ?? []
        const helps = challenge.error === 'insufficient_scope' && authorization.lacks(scopes)
        if (aside || bound || stepped || !helps) return response
        // A sign-in that is under way for another request may bring what this one needs.
        stepped = !authorization.underWay
        letGo(response)
        await authorization.authorize(challenge, token === undefined ? undefined : 'more-scopes', signal)
        continue
      }
      if (!renewed) {
        renewed = true
        if (await authorization.renewed(token, signal)) {
          letGo(response)
          continue
        }
      }
      if (aside) {
        if (request.method !== 'GET' && !request.waits) return response
        // A stream that is only listened to is opened again once somebody has signed in.
        letGo(response)
        await authorization.authorizedAgain(token, signal)
        continue
      }
      if (bound) return response
      if (authorized) {
        authorization.refused()
        return response
      }
      authorized = true
      letGo(response)
      await authorization.authorize(challenge, undefined, signal)
    }
  }
}

/** The answer is not wanted any more. */
function letGo({ body }: AuthResponse): void {
  body.on('error', () => {}).destroy()
}
