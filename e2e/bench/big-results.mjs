// A server on stdio whose tools return twenty megabytes each.
import { createInterface } from 'node:readline'

const SIZE = 20_000_000
const send = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

function rows(head, row) {
  const parts = [head]
  for (let size = head.length, n = 0; size < SIZE; n++) {
    const next = row(n)
    parts.push(next)
    size += next.length
  }
  return parts.join('')
}

const RESULTS = {
  lines: () => ({
    content: [
      { type: 'text', text: rows('', (n) => `${n} 2026-11-20T10:00:00Z info the worker took another item from the queue\n`) },
    ],
  }),
  'one-line': () => ({ content: [{ type: 'text', text: 'The same line goes on and on. '.repeat(SIZE / 30) }] }),
  structured: () => ({
    content: [],
    structuredContent: {
      rows: Array.from({ length: SIZE / 80 }, (_, n) => ({
        n,
        name: `row ${n}`,
        amount: n * 1.5,
        tags: ['sold', 'paid'],
        note: null,
      })),
    },
  }),
  csv: () => {
    const text = rows('n,name,amount,note\n', (n) => `${n},"row, ${n}",${n * 1.5},nothing to say here\n`)
    return { content: [{ type: 'resource', resource: { uri: 'file:///big.csv', mimeType: 'text/csv', text } }] }
  },
}
const tools = Object.keys(RESULTS).map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }))

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  if (method === 'initialize') {
    const { protocolVersion } = params
    send(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'big', version: '1' } })
  } else if (method === 'tools/list') send(id, { tools })
  else if (method === 'tools/call') send(id, RESULTS[params.name]())
  else send(id, {})
}
