// node http.mjs v1|v2: Streamable HTTP with sessions and an event store at /mcp; GET /counters tells, POST /forget drops all sessions.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { newState } from './tools.mjs'

const { makeServer, WebStandardStreamableHTTPServerTransport } = await import(`./${process.argv[2]}.mjs`)
const state = newState()
let sessions = new Map()

/** Events by number, so that any stream can be taken up after any of its own. */
class EventStore {
  #events = []

  async storeEvent(streamId, message) {
    return String(this.#events.push({ streamId, message }) - 1)
  }

  async getStreamIdForEventId(eventId) {
    return this.#events[Number(eventId)]?.streamId
  }

  async replayEventsAfter(lastEventId, { send }) {
    const streamId = await this.getStreamIdForEventId(lastEventId)
    for (const [at, event] of this.#events.entries()) {
      if (at > Number(lastEventId) && event.streamId === streamId) await send(String(at), event.message)
    }
    return streamId
  }
}

async function newSession() {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new EventStore(),
    retryInterval: 60,
    onsessioninitialized: (id) => sessions.set(id, transport),
  })
  await makeServer(state, { inOneWrite: () => {} }).connect(transport)
  return transport
}

async function answer(request) {
  const { pathname } = new URL(request.url)
  if (pathname === '/counters') return Response.json({ ...state, onAnswer: undefined })
  if (pathname === '/forget') {
    sessions = new Map()
    return new Response(null, { status: 204 })
  }
  if (request.method === 'POST') state.posts += 1
  if (request.headers.has('last-event-id')) state.resumed += 1
  const id = request.headers.get('mcp-session-id')
  if (id !== null && !sessions.has(id)) return new Response('Unknown session', { status: 404 })
  const transport = sessions.get(id) ?? (await newSession())
  return transport.handleRequest(request)
}

const listener = createServer(async (incoming, outgoing) => {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const hasBody = incoming.method === 'POST'
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  })
  const response = await answer(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (!response.body) return outgoing.end()
  const body = Readable.fromWeb(response.body)
  body.on('error', () => outgoing.destroy())
  outgoing.on('close', () => body.destroy())
  body.pipe(outgoing)
})
listener.listen(0, '127.0.0.1', () => console.log(`listening on ${listener.address().port}`))
