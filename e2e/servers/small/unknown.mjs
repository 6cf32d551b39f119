// A server that nobody knows: names that say what they do and names that do not, 200 of a kind, one that is no word at all.
import { handshake, say, serve, text } from './wire.mjs'

const zone = { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] }
const note = { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } }
const hostile = '<img src=x onerror=alert(1)>\u202egnp'
let version = 1

serve({
  initialize: (params) => ({ ...handshake('boilers')(params), capabilities: { tools: { listChanged: true } } }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'boiler', description: `<b>Pressure</b> of a boiler, version ${version}`, inputSchema: zone },
      { name: 'get_weather', description: 'The weather', inputSchema: zone },
      { name: 'send_note', description: 'Sends a note', inputSchema: note },
      { name: hostile, description: hostile, inputSchema: zone },
      { name: 'update', description: 'Another version', inputSchema: { type: 'object' } },
      ...Array.from({ length: 200 }, (_, n) => ({ name: `gauge_${n}`, description: `Gauge ${n}`, inputSchema: zone })),
    ],
  }),
  'tools/call': ({ name }) => {
    if (name === 'update') {
      version += 1
      say({ method: 'notifications/tools/list_changed' })
    }
    return text('3 bar')
  },
})
