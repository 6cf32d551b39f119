import { acceptedContent, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server'

const none = fromJsonSchema({ type: 'object' })
const by = fromJsonSchema({
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, q: { type: 'string' } },
})
const echoed = fromJsonSchema({ type: 'object', properties: { message: { type: 'string' } }, required: ['message'] })
const text = (said) => ({ content: [{ type: 'text', text: String(said) }] })

/** A server of the official SDK that speaks 2026-07-28, and asks in every way that it can. */
export function make() {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} }
  const server = new McpServer({ name: 'modern', version: '1.0.0' }, { capabilities })
  server.registerTool('echo', { inputSchema: echoed, annotations: { readOnlyHint: true } }, ({ message }) => text(message))
  server.registerTool('where', { inputSchema: by }, ({ region }) => text(region))
  server.registerTool('ask', { inputSchema: none }, (_args, { mcpReq }) => {
    const who = acceptedContent(mcpReq.inputResponses, 'who')
    if (who) return text(`${who.name} ${mcpReq.requestState()}`)
    if (mcpReq.inputResponses?.who) return text(`no name: ${mcpReq.inputResponses.who.action}`)
    const requestedSchema = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] }
    const asked = inputRequired.elicit({ message: 'What is your name?', requestedSchema })
    return inputRequired({ inputRequests: { who: asked }, requestState: 'round-1' })
  })
  server.registerTool('think', { inputSchema: none }, (_args, { mcpReq }) => {
    const reply = mcpReq.inputResponses?.thought
    if (reply) return text(`thought: ${JSON.stringify(reply.content)}`)
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say something short.' } }]
    return inputRequired({ inputRequests: { thought: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
  })
  server.registerTool('folders', { inputSchema: none }, (_args, { mcpReq }) => {
    const found = mcpReq.inputResponses?.folders
    if (found) return text(found.roots.map(({ uri }) => uri).join('\n') || 'none')
    return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } })
  })
  server.registerTool('gather', { inputSchema: none }, (_args, { mcpReq }) => {
    const { who, thought, folders } = mcpReq.inputResponses ?? {}
    if (who && thought && folders) return text(JSON.stringify({ who, thought: thought.content, folders: folders.roots }))
    const requestedSchema = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] }
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say something short.' } }]
    return inputRequired({
      inputRequests: {
        who: inputRequired.elicit({ message: 'What is your name?', requestedSchema }),
        thought: inputRequired.createMessage({ messages, maxTokens: 100 }),
        folders: inputRequired.listRoots(),
      },
      requestState: 'gathering',
    })
  })
  server.registerTool('slow', { inputSchema: none }, async (_args, { mcpReq }) => {
    for (let step = 1; step <= 3; step++) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: mcpReq._meta?.progressToken ?? 0, progress: step, total: 3, message: `step ${step}` },
      })
      await mcpReq.log('info', `step ${step}`)
    }
    return text('done')
  })
  let count = 0
  server.registerResource('count', 'count:all', {}, (uri) => ({ contents: [{ uri: uri.href, text: String(count) }] }))
  server.registerTool('count', { inputSchema: none }, async () => {
    count++
    // Over HTTP a server of its own answers each request: `GET /updated` tells there.
    await server.server.sendResourceUpdated({ uri: 'count:all' }).catch(() => {})
    return text(count)
  })
  return server
}
