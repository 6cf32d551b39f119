import { TransportError, type TransportErrorDetails } from '../../protocol/peer/transport.ts'

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/
/** The runtime's error when a proxy refuses to connect. */
const TUNNEL = /^Proxy response \((\d{3})\)/

const WHY: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EPROTO: 'TLS failed (EPROTO)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it answered without TLS. Perhaps the address must begin with http://',
}

/** With a proxy, these errors mean that the proxy itself cannot be reached. */
const OF_THE_PROXY = 'ENOTFOUND EAI_AGAIN ECONNREFUSED ETIMEDOUT UND_ERR_CONNECT_TIMEOUT EHOSTUNREACH ENETUNREACH'.split(' ')

/** The error for a host that is nearer than the internet, by its name or by its addresses. */
export const notOnInternet = (host: string) => new TransportError('refused', `${host} is on your computer or your network.`)

/** Describes a network failure; `proxy` is the one that the request used. */
export function networkError(error: unknown, url: URL, proxy: string | undefined): TransportError {
  if (error instanceof TransportError) return error
  const cause = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }
  const errno = [cause.code, cause.cause?.code].find((code) => typeof code === 'string')
  const code = typeof errno === 'string' ? errno : ''
  const by = proxy === undefined ? undefined : new URL(proxy).host
  const details: TransportErrorDetails = { ...(code !== '' && { errno: code }), ...(by !== undefined && { proxy: by }) }
  const at = url.host
  const failed = (as: 'malformed' | 'refused' | 'unreachable', text: string, more: TransportErrorDetails = {}) =>
    new TransportError(as, text, { ...details, ...more }, { cause: error })
  if ((error instanceof Error && error.name === 'HTTPParserError') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failed('malformed', `${at} did not answer with valid HTTP.`)
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_CHAR') {
    return failed('refused', `The request to ${at} cannot be sent: a header holds an invalid character.`)
  }
  const proxyStatus = Number(TUNNEL.exec(error instanceof Error ? error.message : '')?.[1])
  if (proxyStatus)
    return failed('unreachable', `The proxy ${by} answered ${proxyStatus} instead of connecting to ${at}.`, { proxyStatus })
  if (by !== undefined && OF_THE_PROXY.includes(code)) {
    return failed('unreachable', `The proxy ${by} cannot be reached: ${WHY[code]}.`, { proxyFailed: true })
  }
  const why = WHY[code] ?? (CERTIFICATE.test(code) ? `its certificate is not trusted (${code})` : code || 'the connection failed')
  return failed('unreachable', `${at} cannot be reached: ${why}.`)
}
