// A well-behaved server with a few tools to poke it with.
import { handshake, say, serve, text } from './wire.mjs'

const object = { type: 'object' }
const tools = [
  {
    name: 'echo',
    description: 'Says it again',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  },
  { name: 'env', description: 'Tells its environment', inputSchema: object },
  { name: 'level', description: 'Tells the log level it was given', inputSchema: object },
  { name: 'log', description: 'Logs and prints a text', inputSchema: object },
  { name: 'crash', description: 'Exits with code 3', inputSchema: object },
  { name: 'grow', description: 'Offers one more tool and changes echo', inputSchema: object },
]
let level = 'none'

const run = {
  echo: ({ text: said }) => text(String(said)),
  env: () => text(JSON.stringify(process.env)),
  level: () => text(level),
  log: ({ text: asked }) => {
    // So that what is logged is not what was sent, which the ledger keeps.
    const said = asked === 'sing' ? 'the canary sings' : asked
    process.stderr.write(`${said}\n`)
    say({ method: 'notifications/message', params: { level: 'warning', logger: 'ok', data: said } })
    return text('logged')
  },
  crash: () => {
    process.stderr.write('fatal: asked to crash\n')
    process.exit(3)
  },
  grow: () => {
    tools[0] = { ...tools[0], description: 'Says it again, differently' }
    tools.push({ name: 'grown', description: 'New', inputSchema: object })
    say({ method: 'notifications/tools/list_changed' })
    return text('grew')
  },
}

process.stderr.write('ok server started\n')
serve({
  initialize: handshake('ok-server'),
  ping: () => ({}),
  'logging/setLevel': (params) => {
    level = params.level
    return {}
  },
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => {
    const tool = run[name]
    if (!tool) throw new Error(`no tool ${name}`)
    return tool(args ?? {})
  },
})
