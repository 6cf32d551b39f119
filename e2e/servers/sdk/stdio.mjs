// node stdio.mjs v1|v2
import { newState } from './tools.mjs'

const { makeServer, StdioServerTransport } = await import(`./${process.argv[2]}.mjs`)
const state = newState()
const transport = new StdioServerTransport()
const server = makeServer(state, {
  raw: (line) => process.stdout.write(`${line}\n`),
  // Everything until the next turn of the event loop, the result included, goes out together.
  inOneWrite: () => {
    process.stdout.cork()
    setImmediate(() => process.stdout.uncork())
  },
})
await server.connect(transport)

// Answers to what was written by hand would be unknown to the SDK.
const hear = transport.onmessage
transport.onmessage = (message, extra) => {
  if (typeof message.id === 'string' && message.id.startsWith('hand-')) state.onAnswer(message)
  else hear(message, extra)
}
