import type { Connector } from '../../transports/http/connector.ts'
import { type HttpRequest, mediaType } from '../../transports/http/http-fetch.ts'

/** Where servers usually have their endpoint. */
const PATHS = ['/mcp', '/sse', '/mcp/', '/api/mcp', '/']
/** How an endpoint refuses what it does not understand, or whom it does not know. */
const REFUSALS = [400, 401, 403, 406, 415, 422]
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Another path of the same origin at which something answers as MCP does; undefined also when `signal` ends the search. Nothing of the person's is sent. */
export async function otherEndpoint(
  url: string,
  connector: Pick<Connector, 'request'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(url)
  for (const path of PATHS) {
    const at = `${origin}${path}`
    if (signal.aborted) return undefined
    if (path !== pathname && (await answers(at, connector, signal))) return at
  }
  return undefined
}

async function answers(url: string, connector: Pick<Connector, 'request'>, signal: AbortSignal): Promise<boolean> {
  const posted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const told = await statusOf({ method: 'POST', url, headers: posted, body: PROBE, signal }, connector)
  if (told && told.type !== 'text/html' && (REFUSALS.includes(told.status) || (told.status === 200 && told.type !== '')))
    return true
  const streamed = await statusOf({ method: 'GET', url, headers: { accept: 'text/event-stream' }, signal }, connector)
  return streamed?.status === 200 && streamed.type === 'text/event-stream'
}

async function statusOf(request: HttpRequest, connector: Pick<Connector, 'request'>) {
  try {
    const response = await connector.request(request)
    response.body.destroy()
    return { status: response.status, type: mediaType(response) }
  } catch {
    return undefined
  }
}
