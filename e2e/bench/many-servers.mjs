// Many servers over Streamable HTTP in one process of its own, so that a hundred of them weigh on nobody: /3/20 is server 3 with 20 tools.
import { createServer } from 'node:http'

const VERBS = ['read', 'write', 'list', 'find', 'move', 'copy', 'send', 'count', 'check', 'merge']
const THINGS = ['file', 'row', 'issue', 'invoice', 'picture', 'branch', 'ticket', 'order', 'letter', 'event']

function tool(n) {
  const [verb, thing] = [VERBS[n % VERBS.length], THINGS[Math.floor(n / VERBS.length) % THINGS.length]]
  const path = { type: 'string', description: `Where the ${thing} is` }
  const limit = { type: 'integer', minimum: 1, maximum: 500 }
  return {
    name: `${verb}_${thing}_${n}`,
    title: `${verb} a ${thing}`,
    description: `Will ${verb} the ${thing} that is named and tell what came of it. Use it when somebody asks for a ${thing}.`,
    inputSchema: { type: 'object', properties: { path, limit }, required: ['path'] },
    annotations: { readOnlyHint: n % 2 === 0 },
  }
}

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
  const { id, method, params } = JSON.parse(text)
  if (id === undefined) return response.writeHead(202).end()
  const [, number, tools] = request.url.split('/')
  const serverInfo = { name: `server ${number}`, version: '1' }
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }),
    'tools/list': () => ({ tools: Array.from({ length: Number(tools) }, (_, n) => tool(n)) }),
  }
  const result = results[method]?.() ?? {}
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})
