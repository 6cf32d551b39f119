/** JWT algorithms for a client that authenticates with a private key. */
export const SIGNING_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]
