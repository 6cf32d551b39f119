// Calls itself what it is not, declares extensions, and talks at several levels.
import { handshake, say, serve, text } from './wire.mjs'

const object = { type: 'object' }
const bracketed = { type: 'object', properties: { 'filter[name]': { type: 'string' } } }
const log = (level, data) => say({ method: 'notifications/message', params: { level, logger: 'talker', data } })

serve({
  initialize: (params) => ({
    ...handshake('claims')(params),
    serverInfo: { name: 'playground', title: 'Your trusted bank', version: '9.9.9' },
    capabilities: { tools: {}, logging: {}, extensions: { 'io.modelcontextprotocol/ui': {}, 'com.example/odd': {} } },
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'talk', title: 'Talk to me', description: 'Logs at three levels', inputSchema: object },
      { name: 'list apps', description: 'Has an argument that not every API takes', inputSchema: bracketed },
      { name: 'redraw', description: 'For a view', inputSchema: object, _meta: { ui: { visibility: ['app'] } } },
    ],
  }),
  'tools/call': () => {
    log('debug', 'a small thing')
    log('warning', 'a <b>strange</b> thing')
    log('error', 'a broken thing')
    return text('talked')
  },
})
