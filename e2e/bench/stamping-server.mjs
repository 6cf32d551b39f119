// Writes the wall clock, in milliseconds, to a file at the first byte of every tools/call that it reads.
import { appendFileSync } from 'node:fs'

const [, , stamps] = process.argv
const send = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
let rest = ''

process.stdin.on('data', (chunk) => {
  const now = performance.timeOrigin + performance.now()
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) continue
    if (method === 'initialize') {
      const { protocolVersion } = params
      send(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'stamping', version: '1' } })
    } else if (method === 'tools/list') {
      send(id, { tools: [{ name: 'stamp', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } }] })
    } else if (method === 'tools/call') {
      appendFileSync(stamps, `${now}\n`)
      send(id, { content: [{ type: 'text', text: `stamped ${params.arguments.n}` }] })
    } else send(id, {})
  }
})
