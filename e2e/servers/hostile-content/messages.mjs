// A server whose descriptions, results, log, progress and times are made to cost more than their length, or to be no numbers and no times.
import { say, serve } from '../small/wire.mjs'
import { COSTLY, TIMES } from './costly.mjs'

const FAR = Number.MAX_SAFE_INTEGER
const schema = { type: 'object', properties: { times: { type: 'integer', minimum: -FAR, maximum: FAR, default: FAR } } }
const TOOLS = [
  { name: 'speak', description: COSTLY.join('\n\n').slice(0, 60_000), inputSchema: schema },
  { name: 'report', title: COSTLY[0].slice(0, 500), description: 'Progress and log.', inputSchema: schema },
]
const deep = (depth) => (depth === 0 ? [] : { [COSTLY[depth % COSTLY.length].slice(0, 100)]: deep(depth - 1) })

serve({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'costly', version: '9'.repeat(1_000) },
    capabilities: { tools: {}, resources: {}, logging: {} },
    instructions: COSTLY.join('\n').slice(0, 60_000),
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/list': () => ({
    resources: COSTLY.map((_, n) => ({
      uri: `costly://${n}`,
      name: `costly ${n}`,
      mimeType: 'text/markdown',
      size: n % 2 ? FAR : 0,
      annotations: { lastModified: TIMES[n % TIMES.length], priority: 1 },
    })),
  }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, mimeType: 'text/markdown', text: COSTLY[Number(uri.replace('costly://', ''))] ?? COSTLY[0] }],
  }),
  'tools/call': ({ name, _meta }) => {
    if (name === 'report') {
      for (const [n, text] of COSTLY.entries()) {
        say({
          method: 'notifications/message',
          params: { level: 'error', logger: text.slice(0, 300), data: n % 2 ? text : deep(n * 8) },
        })
        const params = {
          progressToken: _meta?.progressToken,
          progress: FAR * (n + 1),
          total: n % 2 ? -FAR : 1e308,
          message: text,
        }
        say({ method: 'notifications/progress', params })
      }
    }
    const content = [
      ...COSTLY.map((text, n) => ({
        type: 'text',
        text,
        annotations: { lastModified: TIMES[n % TIMES.length], priority: 1e-300 },
      })),
      ...TIMES.map((lastModified, n) => ({
        type: 'resource_link',
        uri: `costly://${n}`,
        name: 'a link',
        size: n % 2 ? FAR : 1e308,
        annotations: { lastModified },
      })),
    ]
    return { content, structuredContent: { huge: 1e308, least: 5e-324, far: -FAR, deep: deep(40) } }
  },
})
