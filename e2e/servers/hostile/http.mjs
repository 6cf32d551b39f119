// Servers over HTTP that misbehave in one named way each and are plain servers otherwise. No SDK.
// `handlers[name](request, response, body)`; `connections[name](socket)` for what does not even speak HTTP.
import { gzipSync } from 'node:zlib'

const json = (response, value, headers = {}, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const stream = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const data = (value) => `data: ${JSON.stringify(value)}\n\n`
const result = (id, value = { content: [{ type: 'text', text: 'done' }] }) => ({ jsonrpc: '2.0', id, result: value })
const hello = (id) =>
  result(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' } })
const session = { 'mcp-session-id': 'a' }
const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }

/** Runs `step` until the other side is gone. */
function forever(response, ms, step) {
  const timer = setInterval(step, ms)
  response.on('close', () => clearInterval(timer))
}

/** A server that is plain but for what it does at the call of the tool `hostile`, and for what `special` takes upon itself. */
const server =
  (hostile, special = () => false, headers = {}) =>
  (request, response, body) => {
    const { id, method, params } = body
    if (special(request, response, body)) return
    if (request.method === 'GET') response.writeHead(405).end()
    else if (request.method === 'DELETE') response.end()
    else if (method === 'initialize') json(response, hello(id), headers)
    else if (id === undefined || method === undefined) response.writeHead(202).end()
    else if (method === 'tools/call' && params.name === 'hostile') hostile(request, response, body)
    else if (method === 'tools/list') json(response, result(id, { tools: [] }))
    else json(response, result(id))
  }
const always = (answer) => (request, response, body) => answer(request, response, body)
const onGet = (answer) => (request, response) => {
  if (request.method !== 'GET') return false
  answer(request, response)
  return true
}
const done = (_, response, { id }) => json(response, result(id))

export const handlers = {
  // At the first contact.
  'never-answers': always(() => {}),
  'answers-500': always((_, response) => response.writeHead(500).end('<h1>Oops</h1>')),
  'answers-401': always((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()),
  'answers-403': always((_, response) => response.writeHead(403).end('Origin not allowed')),
  'is-a-website': always((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
  'is-nothing': always((_, response) => response.writeHead(404).end()),
  'accepts-and-forgets': always((_, response) => response.writeHead(202).end()),
  'redirects-in-a-circle': always((request, response) => response.writeHead(307, { location: request.url }).end()),
  'redirects-elsewhere': always((_, response) => response.writeHead(307, { location: 'https://elsewhere.example/mcp' }).end()),
  'sends-huge-headers': always((_, response) => response.writeHead(200, { 'x-pad': 'x'.repeat(100_000) }).end()),
  'bad-session-id': server(done, undefined, { 'mcp-session-id': 'not valid' }),
  'refuses-its-own-version': server(
    done,
    (request, response) => request.headers['mcp-protocol-version'] && response.writeHead(400).end(),
  ),
  'unknown-compression': always((_, response) =>
    response.writeHead(200, { 'content-encoding': 'zip', 'content-type': 'application/json' }).end('x'),
  ),
  'truncated-introduction': always((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc":')
    setImmediate(() => response.destroy())
  }),
  'old-endpoint-elsewhere': always((request, response) =>
    request.method === 'GET'
      ? stream(response).write('event: endpoint\ndata: https://elsewhere.example/post\n\n')
      : response.writeHead(405).end(),
  ),
  'old-endpoint-never-named': always((request, response) =>
    request.method === 'GET' ? stream(response).write(': wait\n\n') : response.writeHead(405).end(),
  ),
  // At a call.
  'drops-the-call': server((_, response) => response.destroy()),
  'truncated-json': server((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc":')
    setImmediate(() => response.destroy())
  }),
  'reply-is-no-json': server((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('nope')),
  'reply-to-another': server((_, response) => json(response, result(12345))),
  'wrong-content-type': server((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')),
  'accepts-a-call-and-forgets': server((_, response) => response.writeHead(202).end()),
  'fails-a-call': server((_, response) => response.writeHead(500).end('x'.repeat(1_000_000))),
  'error-without-end': server((_, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' })
    forever(response, 10, () => response.write('x'.repeat(1000)))
  }),
  'gzip-bomb': server((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(20 << 20, ' ')))
  }),
  'slow-loris': server((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    forever(response, 10, () => response.write(' '))
  }),
  'stream-without-end': server((_, response) => forever(stream(response), 5, () => response.write(': still here\n\n'))),
  'stream-without-reply': server((_, response) => stream(response).end(data(note))),
  'stream-of-nonsense': server((_, response, { id }) =>
    stream(response).end(`data: nope\n\nevent: odd\ndata: {}\n\n${data(5)}\0\xff\n\n${data(result(id))}`),
  ),
  'stream-cut-off': server((_, response, { id }) => {
    stream(response).write(`data: ${JSON.stringify(result(id))}`)
    setImmediate(() => response.destroy())
  }),
  'huge-event': server((_, response, { id }) => stream(response).end(data(result(id, { content: 'x'.repeat(5 << 20) })))),
  'event-of-many-lines': server((_, response) => {
    stream(response)
    forever(response, 1, () => response.write('data: xxxxxxxxxxxxxxxx\n'.repeat(5000)))
  }),
  'stays-after-the-reply': server((_, response, { id }) => void stream(response).write(data(result(id)))),
  'resumes-without-end': server(
    (_, response) => stream(response).end('retry: 0\nid: 1\n\n'),
    onGet((request, response) =>
      request.headers['last-event-id'] ? stream(response).end('id: 1\n\n') : response.writeHead(405).end(),
    ),
  ),
  'changes-its-session': server(
    (_, response, { id }) => json(response, result(id), { 'mcp-session-id': 'another' }),
    undefined,
    session,
  ),
  'forgets-its-session': server((_, response) => response.writeHead(404).end(), undefined, session),
  'never-lets-go': server(done, (request) => request.method === 'DELETE', session),
  'floods-its-own-stream': server(
    done,
    onGet((_, response) => forever(stream(response), 1, () => response.write(data(note).repeat(500)))),
  ),
  'closes-its-own-stream': server(
    done,
    onGet((_, response) => stream(response).end('retry: 1\n\n')),
  ),
  'own-stream-is-a-website': server(
    done,
    onGet((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
  ),
}

export const connections = {
  'is-no-http': (socket) => socket.end('220 mail.example ESMTP\r\n'),
  'hangs-up': (socket) => socket.destroy(),
  'talks-without-end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write(`X-${Math.random()}: ${'x'.repeat(1000)}\r\n`), 1)
    socket.on('close', () => clearInterval(timer))
  },
}
