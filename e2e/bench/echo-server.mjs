// A server that costs next to nothing, for measuring clients: `node echo-server.mjs stdio|http [modern]`. Over HTTP it prints its port.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [wire, era] = process.argv.slice(2)
const modern = era === 'modern'
const serverInfo = { name: 'echo', version: '1' }
const capabilities = { tools: {} }
const tools = [{ name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }]

function answer(line) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return undefined
  const reply = (result) =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { ...(modern && { resultType: 'complete' }), ...result } })
  if (method === 'tools/call') return reply({ content: [{ type: 'text', text: params.arguments.text }] })
  if (method === 'tools/list') return reply({ tools, ...(modern && { ttlMs: 0, cacheScope: 'private' }) })
  if (method === 'initialize' && !modern) return reply({ protocolVersion: '2025-11-25', capabilities, serverInfo })
  if (method === 'server/discover' && modern) return reply({ supportedVersions: ['2026-07-28'], capabilities })
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
}

if (wire === 'stdio') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(line)
    if (said !== undefined) process.stdout.write(`${said}\n`)
  })
} else {
  createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const said = answer(body)
      response.writeHead(said === undefined ? 202 : 200, { 'content-type': 'application/json' }).end(said)
    })
  }).listen(0, '127.0.0.1', function () {
    console.log(this.address().port)
  })
}
