const IN_NAMES =
  /pass(?:word|phrase|code|wd)|secret|token(?!s)|credential|[-_ ]key(?:$|[-_ ])|(?:^|[-_ ])(?:apikey|auth|pwd|pin|cvv|cvc|ssn|otp)(?:$|[-_ ])|authorization|cookie|one[-_ ]?time|(?:verification|security|access|recovery|confirmation|login|sms|2fa|mfa)[-_ ]?code|totp|card[-_ ]?number|credit[-_ ]?card/i
const IN_SENTENCES =
  /\b(?:password|passphrase|passcode|api[- ]key|access[- ]token|private[- ]key|client[- ]secret|card number|credit card|security code)\b/i

/** True if a field's name mentions a password, token, key or card. */
export function namesSecret(name: string): boolean {
  return IN_NAMES.test(name.slice(0, 500).replace(/([a-z])([A-Z])/g, '$1_$2'))
}

/** True if a description mentions one. */
export function asksForSecret(sentence: string): boolean {
  return IN_SENTENCES.test(sentence.slice(0, 4_000))
}
