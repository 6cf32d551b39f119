const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/
/** Characters that RFC 3986 does not allow unescaped, and stray percent signs. */
const STRANGE = /[\u0000-\u0020\u007f<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/

/**
 * Why a text is not a URI (RFC 3986), in a few words; undefined when it is. Letters beyond ASCII are allowed: servers use them in
 * file URIs, which are sent back verbatim (RES-03, RES-20).
 */
export function uriProblem(uri: string): string | undefined {
  if (!SCHEME.test(uri)) return 'it has no scheme'
  const strange = STRANGE.exec(uri)
  if (!strange) return undefined
  return strange[0] === '%' ? 'it has a stray percent sign' : 'it has a character that must be escaped'
}
