import { PROTOCOL_VERSIONS } from '../../src-shared/mcp/primitives.ts'
import { mutated } from './hostile-json.ts'
import type { Asked, Ledger } from './ledger.ts'
import type { Random } from './random.ts'

const TEXT = { type: 'text', text: 'hello é' }
const SCHEMA = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
const TOOL = {
  name: 'tool',
  title: 'Tool',
  description: 'does',
  inputSchema: SCHEMA,
  outputSchema: SCHEMA,
  annotations: { readOnlyHint: true },
}

/** A result as a well-behaved server gives it. */
const RESULTS: Readonly<Record<string, (random: Random) => unknown>> = {
  'tools/call': (random) => ({
    content: [
      TEXT,
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'x', mimeType: 'text/plain' } },
      { type: 'resource_link', uri: 'file:///b', name: 'b', size: 3 },
    ].slice(random.below(5)),
    ...(random.chance(0.3) && { structuredContent: { a: 1 } }),
    ...(random.chance(0.2) && { isError: true }),
    ...(random.chance(0.2) && { _meta: { trace: 'x' } }),
  }),
  'tools/list': (random) => ({ tools: [TOOL, { ...TOOL, name: `tool${random.below(5)}` }], ...cursor(random) }),
  'resources/list': (random) => ({ resources: [{ uri: 'file:///a', name: 'a', size: 1 }], ...cursor(random) }),
  'resources/templates/list': (random) => ({ resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 't' }], ...cursor(random) }),
  'prompts/list': (random) => ({ prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }], ...cursor(random) }),
  'resources/read': () => ({
    contents: [
      { uri: 'file:///a', text: 'x' },
      { uri: 'file:///b', blob: 'aGk=' },
    ],
  }),
  'prompts/get': () => ({ description: 'd', messages: [{ role: 'user', content: TEXT }] }),
  'completion/complete': () => ({ completion: { values: ['a', 'b'], total: 2, hasMore: false } }),
}

function cursor(random: Random) {
  return random.chance(0.2) ? { nextCursor: `c${random.below(1000)}` } : {}
}

export const introduction = (random: Random) => ({
  protocolVersion: random.pick(PROTOCOL_VERSIONS),
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
  },
  serverInfo: { name: 'fuzz', version: '1', title: 'Fuzz' },
  instructions: 'none',
})

/** The next message of the server: mostly what one that behaves would say now, often with something wrong in it. */
export function nextMessage(ledger: Ledger, random: Random): string {
  const asked = ledger.asked.length > 0 && random.chance(0.6) ? random.pick(ledger.asked) : undefined
  const text = JSON.stringify(asked ? aboutRequest(asked, random) : unasked(ledger, random))
  return random.chance(0.5) ? mutated(text, random) : text
}

/** The answer to a request, mutated now and then. */
export function answerTo(asked: Asked, random: Random): string {
  const text = JSON.stringify(answer(asked, random))
  return random.chance(0.3) ? mutated(text, random) : text
}

function aboutRequest(asked: Asked, random: Random): unknown {
  if (asked.token === undefined || random.chance(0.5)) return answer(asked, random)
  const params = { progressToken: asked.token, progress: random.below(1000), total: 1000, message: 'going on' }
  return { jsonrpc: '2.0', method: 'notifications/progress', params }
}

function answer({ id, method }: Asked, random: Random): unknown {
  if (random.chance(0.15)) {
    const data = random.chance(0.5) ? { supported: ['2024-11-05'], elicitations: [{ mode: 'url', url: 'https://a.test/' }] } : 'x'
    return { jsonrpc: '2.0', id, error: { code: random.pick([-32601, -32602, -32603, -32042, -1, 7]), message: 'no', data } }
  }
  const result = method === 'initialize' ? introduction(random) : (RESULTS[method]?.(random) ?? {})
  return { jsonrpc: '2.0', id, result }
}

const UNASKED: readonly ((random: Random, ledger: Ledger) => readonly [method: string, params?: unknown])[] = [
  () => ['notifications/message', { level: 'info', logger: 'l', data: { at: 1, text: 'x' } }],
  (random) => [`notifications/${random.pick(['tools', 'resources', 'prompts'])}/list_changed`],
  () => ['notifications/resources/updated', { uri: 'file:///a' }],
  (random) => ['notifications/cancelled', { requestId: random.below(40), reason: 'enough' }],
  () => ['notifications/elicitation/complete', { elicitationId: 'e' }],
  (random) => ['notifications/progress', { progressToken: random.below(20), progress: random.below(100) }],
  () => ['notifications/unheard-of', { a: 1 }],
]

const QUESTIONS: readonly (readonly [method: string, params?: unknown])[] = [
  ['ping'],
  ['roots/list'],
  ['unheard/of', {}],
  [
    'sampling/createMessage',
    {
      messages: [{ role: 'user', content: TEXT }],
      maxTokens: 10,
      systemPrompt: 's',
      modelPreferences: { hints: [{ name: 'm' }], costPriority: 0.5 },
      tools: [{ name: 't', inputSchema: { type: 'object' } }],
    },
  ],
  [
    'elicitation/create',
    {
      message: 'Who?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, format: 'email' },
          age: { type: 'integer', minimum: 1, default: 3 },
          pick: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
          many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        },
        required: ['name'],
      },
    },
  ],
  ['elicitation/create', { mode: 'url', message: 'Go', url: 'https://a.test/', elicitationId: 'e' }],
]

function unasked(ledger: Ledger, random: Random): unknown {
  if (random.chance(0.05)) return [unasked(ledger, random), unasked(ledger, random)]
  if (random.chance(0.6)) {
    const [method, params] = random.pick(UNASKED)(random, ledger)
    return { jsonrpc: '2.0', method, ...(params !== undefined && { params }) }
  }
  const [method, params] = random.pick(QUESTIONS)
  // Few different ids, numbers and texts, so that some come twice and some look like ours.
  const id = random.chance(0.7) ? random.below(200) : `${random.below(200)}`
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}
