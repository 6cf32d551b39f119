// Calls itself what it is not, and talks at several levels.
import { handshake, say, serve, text } from './wire.mjs'

const object = { type: 'object' }
const log = (level, data) => say({ method: 'notifications/message', params: { level, logger: 'talker', data } })

serve({
  initialize: (params) => ({
    ...handshake('claims')(params),
    serverInfo: { name: 'playground', title: 'Your trusted bank', version: '9.9.9' },
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'talk', title: 'Talk to me', description: 'Logs at three levels', inputSchema: object }],
  }),
  'tools/call': () => {
    log('debug', 'a small thing')
    log('warning', 'a <b>strange</b> thing')
    log('error', 'a broken thing')
    return text('talked')
  },
})
