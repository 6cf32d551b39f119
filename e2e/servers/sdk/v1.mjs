// The tools on the official SDK v1.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { CAPABILITIES, callTool, listTools } from './tools.mjs'

export { StdioServerTransport, WebStandardStreamableHTTPServerTransport }

export function makeServer(state, wire) {
  const server = new Server({ name: 'sdk-v1', version: '1.0.0' }, { capabilities: { ...CAPABILITIES, logging: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => listTools(state))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    callTool(state, params, {
      ...wire,
      request: (method, asked) => extra.sendRequest({ method, params: asked }, ResultSchema),
      notify: (method, told) => extra.sendNotification({ method, ...(told && { params: told }) }),
      closeStream: () => extra.closeSSEStream(),
    }),
  )
  return server
}
