import type { AuthRequest, AuthResponse } from './auth-http.ts'
import type { Authorization } from './authorization.ts'
import { bearerChallenge } from './challenge.ts'

export interface SessionRequest extends AuthRequest {
  /** A background request: it uses and renews tokens, but a person is not asked. */
  readonly aside?: boolean | undefined
  /** A background stream, which opens once the person has signed in. */
  readonly waits?: boolean | undefined
  /** Holds state of one account, and is not sent after a new sign-in, which may be another account's (V26-MRTR-18). */
  readonly bound?: boolean | undefined
}

/** The attempts of one request: as it is, with a renewed token, after a sign-in, with more scopes. */
const MAX_ATTEMPTS = 4

/**
 * Adds the server's token to requests: only as a header, and only to the server's own origin (AUTH-16, AUTH-17, AUTH-18, AUTH-57). A
 * refused request is sent again once after each step that may help (AUTH-20, AUTH-21, AUTH-60). Rejects like `fetch`, and with
 * AuthorizationError or the signal's reason.
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
    for (let attempt = 1; ; attempt++) {
      const token = await authorization.token(signal)
      const headers = token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` }
      const response = await fetch({ ...request, headers })
      const { status } = response
      if ((status !== 401 && status !== 403) || attempt === MAX_ATTEMPTS) return response
      const challenge = bearerChallenge(response.headers['www-authenticate'])
      if (status === 403) {
        const scopes = challenge.scopes ?? []
        const helps = challenge.error === 'insufficient_scope' && authorization.lacks(scopes)
        if (aside || bound || stepped || !helps) return response
        // A running sign-in for another request may grant the same scopes.
        stepped = !authorization.isRunning
        discard(response)
        await authorization.authorize(challenge, token === undefined ? undefined : 'more-scopes', signal)
        continue
      }
      if (!renewed) {
        renewed = true
        if (await authorization.renewed(token, signal)) {
          discard(response)
          continue
        }
      }
      if (aside) {
        if (request.method !== 'GET' && !request.waits) return response
        // A background stream is opened again once the person has signed in.
        discard(response)
        await authorization.authorizedAgain(token, signal)
        continue
      }
      if (bound) return response
      if (authorized) {
        authorization.refused()
        return response
      }
      authorized = true
      discard(response)
      await authorization.authorize(challenge, undefined, signal)
    }
  }
}

function discard({ body }: AuthResponse): void {
  body.on('error', () => {}).destroy()
}
