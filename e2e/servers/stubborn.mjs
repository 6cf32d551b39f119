// A server by hand that stays alive when its host goes away: it ignores the end of its input and SIGTERM. Only SIGKILL ends it,
// and SIGTERM as long as the file exists that its argument names.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , heeds] = process.argv
process.on('SIGTERM', () => {
  if (heeds !== undefined && existsSync(heeds)) process.exit(0)
})
process.on('SIGHUP', () => {})
// Writing to a host that is gone must not end it either.
process.stdout.on('error', () => {})
setInterval(() => {}, 60_000)

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const tools = [
  {
    name: 'wait',
    description: 'Answers after some milliseconds',
    inputSchema: { type: 'object', properties: { ms: { type: 'number' } } },
  },
  {
    name: 'large',
    description: 'Answers with a long text',
    inputSchema: { type: 'object', properties: { bytes: { type: 'number' } } },
  },
]

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const { protocolVersion } = params
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'stubborn', version: '1' } } })
  } else if (method === 'tools/list') send({ id, result: { tools } })
  else if (method === 'ping') send({ id, result: {} })
  else if (method === 'tools/call' && params.name === 'wait') {
    setTimeout(() => send({ id, result: text(`waited ${params.arguments.ms} ms`) }), params.arguments.ms)
  } else if (method === 'tools/call') send({ id, result: text('x'.repeat(params.arguments.bytes ?? 10)) })
  else send({ id, error: { code: -32601, message: `Method not found: ${method}` } })
})
