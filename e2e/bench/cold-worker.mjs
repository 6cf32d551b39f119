// One client in a fresh process: `node cold-worker.mjs ours|official|limit stdio|http modern|legacy PORT`. Prints what its first hundred calls took.
import { fileURLToPath } from 'node:url'

const [name, wire, era, port] = process.argv.slice(2)
const modern = era === 'modern'
const CALLS = 100

const clients = {
  ours: () => import('../../out/bench/ours.mjs'),
  limit: () => import('./limit-client.mjs'),
  async official() {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const open = async (transport) => {
      const options = modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
      const client = new Client({ name: 'official', version: '1' }, options)
      await client.connect(transport)
      return {
        callTool: (tool, args) => client.callTool({ name: tool, arguments: args }),
        close: () => client.close(),
      }
    }
    return {
      connectStdio: (command, args) => open(new StdioClientTransport({ command, args })),
      connectHttp: (url) => open(new StreamableHTTPClientTransport(new URL(url))),
    }
  },
}

const client = await clients[name]()
const server = fileURLToPath(new URL('echo-server.mjs', import.meta.url))
const began = performance.now()
const connection =
  wire === 'stdio'
    ? await client.connectStdio(process.execPath, [server, 'stdio', era], { modern })
    : await client.connectHttp(`http://127.0.0.1:${port}/`, { modern })
const opened = performance.now()
const before = process.cpuUsage()
const text = 'x'.repeat(100)
const calls = []
for (let call = 0; call < CALLS; call++) {
  const at = performance.now()
  const { content } = await connection.callTool('echo', { text })
  calls.push(performance.now() - at)
  if (content[0].text !== text) throw new Error('The echo differs.')
}
const { user, system } = process.cpuUsage(before)
const total = calls.reduce((sum, ms) => sum + ms, 0)
console.log(JSON.stringify({ open: opened - began, first: calls[0], total, cpu: (user + system) / 1000 }))
await connection.close()
process.exit(0)
