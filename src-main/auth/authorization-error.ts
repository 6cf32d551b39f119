type AuthorizationErrorCode =
  /** No sign-in, and no person who may be asked now. */
  | 'required'
  /** The person declined, here or at the authorization server. */
  | 'denied'
  /** The authorization server could not be discovered, or must not be used. */
  | 'discovery'
  /** This app could not be registered at the authorization server. */
  | 'registration'
  /** The answer came from another authorization server than the one that was asked. */
  | 'issuer-mismatch'
  /** The earlier sign-in has expired, or the sign-in took too long. */
  | 'expired'
  /** Signed in without the needed permission. */
  | 'insufficient-scope'
  /** The authorization server refused a request, or its answer is unusable. */
  | 'refused'
  | 'unreachable'

/**
 * A sign-in failed. `message` is for the person: what failed, what was said, what to do. It holds no token, code, verifier or client
 * secret, and has no cause, since errors of the OAuth library may hold them.
 */
export class AuthorizationError extends Error {
  readonly code: AuthorizationErrorCode

  constructor(code: AuthorizationErrorCode, message: string) {
    super(message)
    this.name = 'AuthorizationError'
    this.code = code
  }
}
