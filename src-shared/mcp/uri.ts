const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/
/** Characters that are never unescaped in a URI: white space, controls, and the delimiters that RFC 3986 leaves out. */
const STRANGE = /[\u0000-\u0020\u007f<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/

/**
 * Why an address is none by RFC 3986, in a few words; undefined when it is one. Letters beyond ASCII are let pass: servers write
 * them into file addresses, and they are sent verbatim (RES-03, RES-20).
 */
export function uriProblem(uri: string): string | undefined {
  if (!SCHEME.test(uri)) return 'it has no scheme'
  const strange = STRANGE.exec(uri)
  if (!strange) return undefined
  return strange[0] === '%' ? 'it has a stray percent sign' : 'it has a character that must be escaped'
}
