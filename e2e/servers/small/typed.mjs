// Tools whose output schemas need every dialect and the engine of patterns, and one that takes SQL.
import { handshake, serve } from './wire.mjs'

const DIALECTS = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}
const outputs = Object.entries(DIALECTS).map(([name, $schema]) => ({
  name,
  inputSchema: { type: 'object' },
  outputSchema: { $schema, type: 'object', properties: { code: { type: 'string', pattern: '^[a-z]+$' } } },
}))
const query = {
  name: 'query',
  inputSchema: { type: 'object', properties: { sql: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}

serve({
  initialize: handshake('typed-server'),
  ping: () => ({}),
  'tools/list': () => ({ tools: [query, ...outputs] }),
  'tools/call': ({ arguments: { code } }) => ({ content: [], structuredContent: { code } }),
})
