/** Strict base64 (RFC 4648 section 4): the standard alphabet, padded, no spaces, no stray bits. */

const FORM = /^[A-Za-z0-9+/]*={0,2}$/

/** Number of bytes that `text` decodes to, or undefined when it is not strictly base64. Looks at the text once, copies nothing. */
export function base64Size(text: string): number | undefined {
  const { length } = text
  if (length % 4 !== 0 || !FORM.test(text)) return undefined
  if (length === 0) return 0
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  // The bits of the last symbol that carry nothing must be zero, or two texts would mean the same bytes.
  if (padding > 0) {
    const value = symbol(text.charCodeAt(length - padding - 1))
    if ((value & (padding === 2 ? 0b1111 : 0b11)) !== 0) return undefined
  }
  return (length / 4) * 3 - padding
}

/** The bytes, or undefined when `text` is not strictly base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  return base64Size(text) === undefined ? undefined : Buffer.from(text, 'base64')
}

function symbol(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  return code === 43 ? 62 : 63
}
