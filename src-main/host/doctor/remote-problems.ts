import { isLoopbackHost } from '../../../src-shared/base/hosts.ts'
import type { Problem, Remedy } from '../../../src-shared/contract/errors.ts'
import { AuthorizationError } from '../../auth/authorization-error.ts'
import type { TransportError } from '../../protocol/peer/transport.ts'

const URL_FIELD: Remedy = { is: 'edit', field: 'url' }
const HEADERS: Remedy = { is: 'edit', field: 'headers' }
const NETWORK: Remedy = { is: 'open-settings', section: 'network' }
const AGAIN: Remedy = { is: 'start' }

/** A failure before any answer, by the error codes of the system and the TLS library. It claims no more than the code shows. */
interface Row {
  readonly code: string
  readonly when: readonly string[]
  readonly what: (name: string, at: string) => string
  readonly todo: string
  readonly remedies: readonly Remedy[]
}

const AUTHORITY_TODO = 'If it is your own or your company’s, add its authority in Settings. Otherwise do not trust it.'
const DATE_TODO = 'Check the date of this computer. If it is right, tell the server’s operator.'

const ROWS: readonly Row[] = [
  {
    code: 'name-unknown',
    when: ['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME'],
    what: (name) => `Could not find “${name}”: its host name does not resolve.`,
    todo: 'Check the address for typos, then the network.',
    remedies: [URL_FIELD, AGAIN],
  },
  {
    code: 'name-unknown',
    when: ['EAI_AGAIN'],
    what: (name) => `The host name of “${name}” could not be looked up.`,
    todo: 'Check the network, then the address.',
    remedies: [AGAIN, URL_FIELD],
  },
  {
    code: 'port-closed',
    when: ['ECONNREFUSED'],
    what: (_name, at) => `Nothing is listening on ${at}.`,
    todo: 'Start the server, or correct the port.',
    remedies: [AGAIN, URL_FIELD],
  },
  {
    code: 'no-way',
    when: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    what: (name) => `“${name}” did not answer in time.`,
    todo: 'Check that it is running, then the network and a VPN that it may need.',
    remedies: [AGAIN, NETWORK],
  },
  {
    code: 'no-way',
    when: ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
    what: (_name, at) => `There is no route to ${at}.`,
    todo: 'Check the network and a VPN that it may need.',
    remedies: [AGAIN, NETWORK],
  },
  {
    code: 'unreachable',
    when: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
    what: (name) => `The connection to “${name}” was closed.`,
    todo: 'Start it again, or check the address.',
    remedies: [AGAIN, URL_FIELD],
  },
  {
    code: 'certificate-self-signed',
    when: ['DEPTH_ZERO_SELF_SIGNED_CERT'],
    what: (name) => `The certificate of “${name}” is self-signed.`,
    todo: AUTHORITY_TODO,
    remedies: [NETWORK, URL_FIELD],
  },
  {
    code: 'certificate-authority',
    when: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_GET_ISSUER_CERT',
    ],
    what: (name) => `The certificate of “${name}” was not issued by an authority that this computer trusts.`,
    todo: AUTHORITY_TODO,
    remedies: [NETWORK, URL_FIELD],
  },
  {
    code: 'certificate-expired',
    when: ['CERT_HAS_EXPIRED'],
    what: (name) => `The certificate of “${name}” has expired.`,
    todo: DATE_TODO,
    remedies: [AGAIN],
  },
  {
    code: 'certificate-early',
    when: ['CERT_NOT_YET_VALID'],
    what: (name) => `The certificate of “${name}” is not valid yet.`,
    todo: DATE_TODO,
    remedies: [AGAIN],
  },
  {
    code: 'certificate-name',
    when: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
    what: (name) => `The certificate of “${name}” is for another host name.`,
    todo: 'Use the name that the certificate is for. If it should be this one, do not trust it.',
    remedies: [URL_FIELD],
  },
]

/** The problem of a server that could not be reached. */
export function unreachableProblem({ details }: TransportError, name: string, url: string): Problem {
  const { errno = '', proxy, proxyStatus, proxyFailed } = details
  if (proxyStatus === 407) {
    const todo = 'Enter the proxy’s name and password in Settings, or check the proxy of this computer.'
    return { code: 'proxy-sign-in', what: `The proxy ${proxy} requires a sign-in (407).`, todo, remedies: [NETWORK, AGAIN] }
  }
  if (proxyStatus !== undefined) {
    const what = `The proxy ${proxy} answered ${proxyStatus} instead of connecting to “${name}”.`
    const todo = 'Check the address. If it is right, allow it in the proxy, or make an exception for it in Settings.'
    return { code: 'proxy-refused', what, todo, remedies: [NETWORK, URL_FIELD] }
  }
  if (proxyFailed) {
    const what = `Could not reach the proxy ${proxy} (${errno}).`
    return { code: 'proxy-unreachable', what, todo: 'Check the proxy settings and the network.', remedies: [NETWORK, AGAIN] }
  }
  if (errno === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    const plain = withProtocol(url, 'http:')
    const what = `“${name}” answered without TLS.`
    const todo = plain ? 'Use the address with http://.' : 'Check the port: https needs one that speaks TLS.'
    return { code: 'no-tls', what, todo, remedies: [...(plain ? [{ is: 'use-address', url: plain } as const] : []), URL_FIELD] }
  }
  if (errno === 'EPROTO' || errno.startsWith('ERR_SSL_')) {
    const what = `TLS with “${name}” failed (${errno}).`
    return { code: 'no-tls', what, todo: 'Check the address and its port.', remedies: [URL_FIELD, AGAIN] }
  }
  const row = ROWS.find(({ when }) => when.includes(errno))
  if (row) return { code: row.code, what: row.what(name, placeOf(url)), todo: row.todo, remedies: row.remedies }
  const what = `“${name}” could not be reached${errno ? ` (${errno})` : ''}.`
  const todo = 'Check the address and the network, and that the server is running.'
  return { code: 'unreachable', what, todo, remedies: [AGAIN, URL_FIELD] }
}

/** Host and port, with the default port spelled out. */
function placeOf(text: string): string {
  const { hostname = text, port = '', protocol = '' } = URL.parse(text) ?? {}
  return `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`
}

/** The same address by another protocol; http is allowed on this computer only. */
function withProtocol(text: string, protocol: 'http:' | 'https:'): string | undefined {
  const url = URL.parse(text)
  if (!url || (protocol === 'http:' && !isLoopbackHost(url.hostname))) return undefined
  url.protocol = protocol
  return url.href
}

/** The problem of an address that is not contacted at all. */
export function refusedProblem({ message, details }: TransportError, url: string): Problem {
  const parsed = URL.parse(url)
  const secure = withProtocol(url, 'https:')
  if (secure !== undefined && parsed?.protocol === 'http:' && !isLoopbackHost(parsed.hostname)) {
    const remedies: Remedy[] = [{ is: 'use-address', url: secure }, URL_FIELD]
    return { code: 'not-encrypted', what: message, todo: 'Use the address with https://.', remedies }
  }
  if (details.redirectsTo !== undefined) {
    const todo = 'The network may require a sign-in: open a page in your browser. Otherwise correct the address.'
    return { code: 'redirected', what: message, todo, remedies: [AGAIN, URL_FIELD] }
  }
  return { code: 'refused', what: message, todo: 'Correct the address in “Edit server”.', remedies: [URL_FIELD] }
}

const isPage = ({ details }: TransportError): boolean =>
  /^(?:text\/html|application\/xhtml)/i.test(details.headers?.['content-type'] ?? '') ||
  /^\s*<(?:!doctype html|html)\b/i.test(details.body ?? '')

/** The problem of a web page where MCP was expected; undefined for any other answer. */
export function pageProblem(error: TransportError, name: string): Problem | undefined {
  if (!isPage(error)) return undefined
  const what = `“${name}” answered with a web page, not with MCP.`
  const todo = 'Check the path of the address. If the network requires a sign-in, do that in your browser first.'
  return { code: 'web-page', what, todo, remedies: [URL_FIELD, AGAIN] }
}

/** The configured header that carries a key, if any. */
function keyHeader(headers: readonly string[]): string | undefined {
  return headers.find((header) => /^authorization$|api-?key|token|secret/i.test(header))
}

/** The problem of a refusal, by its HTTP status. */
export function statusProblem(error: TransportError, name: string, headers: readonly string[]): Problem {
  const { status = 0, headers: said = {} } = error.details
  const header = keyHeader(headers)
  switch (status) {
    case 401:
    case 403: {
      if (header !== undefined) {
        const what =
          status === 401
            ? `“${name}” rejected the key in ${header} (401).`
            : `“${name}” refused a request with the key in ${header} (403).`
        const todo = 'Enter a valid key. This one may have expired, or lack a permission.'
        return { code: 'key-rejected', what, todo, remedies: [{ is: 'set-header', name: header }, AGAIN] }
      }
      const what = status === 401 ? `“${name}” requires credentials (401).` : `“${name}” refused the request (403).`
      const todo =
        status === 401
          ? 'Add its token as the header Authorization.'
          : 'It may need a key as the header Authorization, or another network.'
      return { code: `http-${status}`, what, todo, remedies: [{ is: 'set-header', name: 'Authorization' }, HEADERS] }
    }
    case 404:
    case 405: {
      const what =
        status === 404
          ? `“${name}” has nothing at this address (404).`
          : `“${name}” does not accept MCP requests at this address (405).`
      return {
        code: `http-${status}`,
        what,
        todo: 'Check the path of the address; it often ends in /mcp or /sse.',
        remedies: [URL_FIELD],
      }
    }
    case 407:
      return {
        code: 'proxy-sign-in',
        what: 'The proxy requires a sign-in (407).',
        todo: 'Check the proxy settings of this computer.',
        remedies: [NETWORK],
      }
    case 429: {
      const wait = /^\d{1,6}$/.test(said['retry-after'] ?? '') ? ` It says to wait ${said['retry-after']} seconds.` : ''
      const what = `Too many requests to “${name}” (429).`
      return { code: 'http-429', what, todo: `Wait a while, then start it again.${wait}`, remedies: [AGAIN] }
    }
    default: {
      if (status >= 500) {
        const what = `“${name}” answered with a server error (${status}).`
        return { code: `http-${status}`, what, todo: 'Try again later, or tell its operator.', remedies: [AGAIN] }
      }
      const what = `“${name}” answered with HTTP status ${status}.`
      return {
        code: `http-${status}`,
        what,
        todo: 'Check its address and headers in “Edit server”.',
        remedies: [URL_FIELD, HEADERS],
      }
    }
  }
}

/** The problem of a missing sign-in, or of a missing key where Parley cannot sign in. */
export function signInProblem({ cause }: TransportError, name: string): Problem {
  const key: Remedy = { is: 'set-header', name: 'Authorization' }
  if (cause instanceof AuthorizationError && (cause.code === 'discovery' || cause.code === 'registration')) {
    const what = `“${name}” requires credentials, and Parley found no way to sign in.`
    const todo = 'If you have a key or token for it, add that as the header Authorization.'
    return { code: 'no-sign-in', what, todo, remedies: [key, { is: 'sign-in' }] }
  }
  return { code: 'sign-in', what: `“${name}” requires sign-in.`, todo: 'Sign in.', remedies: [{ is: 'sign-in' }, key] }
}

/** The problem of a response whose stream began and stayed empty. */
export function heldBackProblem(name: string): Problem {
  const what = `“${name}” began to answer, but its stream stayed empty.`
  const todo = 'A proxy on the way may be buffering. Its operator can turn that off for text/event-stream.'
  return { code: 'stream-held-back', what, todo, remedies: [AGAIN, NETWORK] }
}
