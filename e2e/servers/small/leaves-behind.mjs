// At once starts a process in a session of its own whose parent is gone: one that heeds SIGTERM, or with `deaf` one that does not.
import { spawn } from 'node:child_process'
import { handshake, serve, text } from './wire.mjs'

const deaf = process.argv.includes('deaf')
const script = `( ${deaf ? 'trap "" TERM HUP; ' : ''}exec sleep 600 ) &`
spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' }).unref()
serve({
  initialize: handshake('leaves-behind'),
  ping: () => ({}),
  'tools/list': () => ({ tools: [] }),
  'tools/call': () => text(''),
})
