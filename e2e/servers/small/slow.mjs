// Has a tool that says nothing until a file is there, but gives one sign of life when another is, and tells its log what it was asked to give up.
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { handshake, say, serve, text } from './wire.mjs'

const given = new Set()
let wanted = 0

serve(
  {
    initialize: handshake('slow'),
    ping: () => ({}),
    'tools/list': () => ({
      tools: [
        {
          name: 'wait',
          description: 'Answers when a file is there',
          inputSchema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
          annotations: { readOnlyHint: true },
        },
      ],
    }),
    'tools/call': async ({ arguments: { file }, _meta: meta }) => {
      const call = ++wanted
      let signs = 0
      while (!existsSync(file) && !given.has(call)) {
        if (signs === 0 && existsSync(`${file}-soon`)) {
          signs += 1
          say({ method: 'notifications/progress', params: { progressToken: meta.progressToken, progress: signs } })
        }
        await pause(50)
      }
      return text(given.has(call) ? 'given up' : 'the file is there')
    },
  },
  (method, params) => {
    if (method !== 'notifications/cancelled') return
    given.add(wanted)
    process.stderr.write(`cancelled ${typeof params.requestId}: ${params.reason}\n`)
  },
)
