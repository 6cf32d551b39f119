type AuthorizationErrorCode =
  /** Nobody is signed in, and nobody may be asked now. */
  | 'required'
  /** The person, or the authorization server in their name, said no. */
  | 'denied'
  /** The authorization server could not be discovered, or must not be used. */
  | 'discovery'
  /** The authorization server does not know this app, and could not be told of it. */
  | 'registration'
  /** The answer came from another authorization server than the one that was asked. */
  | 'issuer-mismatch'
  /** The earlier sign-in has expired, or the sign-in took too long. */
  | 'expired'
  /** Signed in, but not for this. */
  | 'insufficient-scope'
  /** The authorization server refused a request or answered it with something unusable. */
  | 'refused'
  /** The authorization server cannot be reached now. */
  | 'unreachable'

/**
 * A sign-in failed. `message` is for the person: what failed, what it said, what to do. It never holds a token, a code, a verifier
 * or a client secret, and neither does its cause: that is why what the OAuth library throws is never passed on as it is.
 */
export class AuthorizationError extends Error {
  readonly code: AuthorizationErrorCode

  constructor(code: AuthorizationErrorCode, message: string) {
    super(message)
    this.name = 'AuthorizationError'
    this.code = code
  }
}
