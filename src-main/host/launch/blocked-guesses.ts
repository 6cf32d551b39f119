import { hostPattern, patternText } from '../../../src-shared/base/host-pattern.ts'

/** Characters of an error that are read. */
const READ = 16 * 1024
/** Guesses of one error. */
const MOST = 3

/** Resolvers of Node, Python, Go and curl name the host that they did not find. */
const LOST_HOSTS = [
  /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([a-z0-9.-]{1,253})/gi,
  /\bFailed to resolve '([a-z0-9.-]{1,253})'/gi,
  /\bdial tcp: lookup ([a-z0-9.-]{1,253})/gi,
  /\bCould not resolve host: ([a-z0-9.-]{1,253})/gi,
]
/** Messages about a network that is not there, without a name. */
const NO_NETWORK =
  /\b(?:fetch failed|ENETUNREACH|EAI_AGAIN|ENOTFOUND|network is unreachable|temporary failure in name resolution)\b/i
/** Node and Python put the path after the reason, Go and programs of the system before. macOS says “Operation not permitted”. */
const LOST_PATHS = [
  /(?:\b(?:ENOENT|EACCES|EPERM|EROFS): [^'\n]{0,80}|No such file or directory: |Permission denied: |Operation not permitted: |Read-only file system: )'(\/[^'\n]{1,1023})'/g,
  /(?:\b(?:open|stat|lstat|mkdir|readdir) |: )(\/[^:\n]{1,1023}): (?:no such file or directory|permission denied|operation not permitted|read-only file system)/gi,
]
const READ_ONLY = /EROFS|read-only file system/i

interface ReadError {
  /** As a fence names them. */
  readonly hosts: readonly string[]
  /** The error speaks of a network that is not there. */
  readonly network: boolean
  readonly paths: readonly { readonly path: string; readonly write: boolean }[]
}

/** Reads in an error which hosts and paths a server did not reach. The text is the server's own, so that all of them are guesses. */
export function readError(error: string): ReadError {
  const text = error.slice(0, READ)
  const hosts = LOST_HOSTS.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => hostPattern(name)))
  const names = hosts.flatMap((host) => ('problem' in host || !host.name.includes('.') ? [] : [patternText(host)]))
  const paths = LOST_PATHS.flatMap((form) =>
    [...text.matchAll(form)].map(([said, path = '']) => ({ path, write: READ_ONLY.test(said) })),
  )
  return { hosts: [...new Set(names)].slice(0, MOST), network: NO_NETWORK.test(text), paths: paths.slice(0, MOST) }
}
