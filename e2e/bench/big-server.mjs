// A server whose tools return tens of megabytes, on stdio, or over Streamable HTTP (2025-11-25) where its first argument says `http`.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const MIB = 1 << 20
const lines = (mib) => 'n=17 2026-11-20T10:00:00Z "info" the worker took another item from C:\\queue\n'.repeat((mib * MIB) / 77)
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const rows = (mib) =>
  Array.from({ length: (mib * MIB) / 80 }, (_, n) => ({
    n,
    name: `row ${n}`,
    amount: n * 1.5,
    tags: ['sold', 'paid'],
    note: null,
  }))
const RESULTS = {
  plain: (mib) => text('x'.repeat(mib * MIB)),
  lines: (mib) => ({ content: [...text(lines(mib / 2)).content, ...text(lines(mib / 2)).content] }),
  umlauts: (mib) => text('Ein Fuß größer, ähnlich schön. '.repeat((mib * MIB) / 36)),
  image: (mib) => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBO'.repeat((mib * MIB) / 4) }] }),
  structured: (mib) => ({ content: [], structuredContent: { rows: rows(mib) } }),
  members: (mib) => ({
    content: [],
    structuredContent: { byId: Object.fromEntries(rows(mib).map((row) => [`id ${row.n}`, row])) },
  }),
}
const tools = Object.keys(RESULTS).map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }))

function answer({ method, params }) {
  if (method === 'initialize') {
    const { protocolVersion } = params
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'big', version: '1' } }
  }
  if (method === 'tools/list') return { tools }
  if (method === 'tools/call') return RESULTS[params.name](Number(params.arguments.mib))
  return {}
}
const reply = (message) => JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) })

if (process.argv[2] === 'http') {
  const kind = process.argv[3] === 'sse' ? 'text/event-stream' : 'application/json'
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let body = ''
    for await (const chunk of request) body += chunk
    const message = JSON.parse(body)
    if (message.id === undefined) return response.writeHead(202).end()
    const text = reply(message)
    response
      .writeHead(200, { 'content-type': kind })
      .end(kind === 'application/json' ? text : `event: message\ndata: ${text}\n\n`)
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
  process.stdin.resume().on('end', () => process.exit())
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line)
    if (message.id !== undefined) process.stdout.write(`${reply(message)}\n`)
  }
}
