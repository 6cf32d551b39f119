// The tools on the official SDK v2.
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { CAPABILITIES, callTool, listTools } from './tools.mjs'

export { StdioServerTransport, WebStandardStreamableHTTPServerTransport }

export function makeServer(state, wire) {
  const server = new Server({ name: 'sdk-v2', version: '2.0.0' }, { capabilities: { ...CAPABILITIES, logging: {} } })
  server.setRequestHandler('tools/list', () => listTools(state))
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(state, params, {
      ...wire,
      request: (method, asked) => context.mcpReq.send({ method, params: asked }),
      notify: (method, told) => context.mcpReq.notify({ method, ...(told && { params: told }) }),
      closeStream: () => context.http.closeSSE(),
    }),
  )
  return server
}
