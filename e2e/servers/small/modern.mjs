// A server of 2026-07-28 by hand: repeats on stderr, raw, every line that it is sent, so that a test sees what was written to it.
import { createInterface } from 'node:readline'

const object = { type: 'object' }
const tools = ['echo', 'hang', 'crash'].map((name) => ({ name, inputSchema: object }))
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stderr.write(`LINE ${line}\n`)
  const { id, method, params } = JSON.parse(line)
  const reply = (result) => say({ id, result: { resultType: 'complete', ...result } })
  switch (method) {
    case 'server/discover':
      reply({ supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } })
      break
    case 'tools/list':
      reply({ tools, ttlMs: 0, cacheScope: 'private' })
      break
    case 'subscriptions/listen': {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
      say({ method: 'notifications/subscriptions/acknowledged', params: { notifications: params.notifications, _meta } })
      break
    }
    case 'tools/call':
      if (params.name === 'crash') process.exit(3)
      if (params.arguments?.metadata) {
        // As an address would refuse it, though nobody signs in to a program.
        const data = { 'www-authenticate': `Bearer resource_metadata="${params.arguments.metadata}"` }
        say({ id, error: { code: 401, message: 'Unauthorized', data } })
        break
      }
      if (params.name === 'echo') reply({ content: [{ type: 'text', text: String(params.arguments.text) }] })
  }
})
process.stdin.on('end', () => process.exit(0))
