// node modern.mjs MODE [http]: a server of 2026-07-28 by hand, wrong on purpose. Over HTTP it prints its port.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text as bodyOf } from 'node:stream/consumers'

const [, , mode, over] = process.argv
const INFO = 'io.modelcontextprotocol/serverInfo'
const text = (said) => ({ resultType: 'complete', content: [{ type: 'text', text: said }] })
const refuse = (code, data, message = 'no') => {
  throw { code, message, ...(data && { data }) }
}
const tool = (properties = {}) => ({ name: 'go', inputSchema: { type: 'object', properties } })
const found = (more) => ({
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true } },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { [INFO]: { name: 'by hand', version: '1' } },
  ...more,
})
const introduced = (protocolVersion) => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'by hand', version: '1' },
})
const silent = () => undefined
const legacy = { 'server/discover': () => refuse(-32601), initialize: () => introduced('2025-11-25') }
const requested = '2026-07-28'

let times = 0
/** Differences from a good server of both eras, by mode. */
const MODES = {
  good: {},
  logs: { 'server/discover': () => found({ capabilities: { tools: {}, logging: {} } }) },
  silent: { ...legacy, 'server/discover': silent },
  'silent-to-the-end': { 'server/discover': silent, initialize: silent },
  'modern-when-late': {
    'server/discover': silent,
    initialize: () => late() ?? refuse(-32022, { supported: [requested], requested }),
  },
  'catch-all': { '*': () => ({}) },
  'catch-all-but-initialize': { ...legacy, 'server/discover': () => ({}) },
  'exits-on-the-probe': { ...legacy, 'server/discover': () => process.exit(1) },
  'exits-on-anything': { '*': () => process.exit(1) },
  'initialize-names-2026-07-28': { ...legacy, initialize: () => introduced('2026-07-28') },
  garbage: {},
  'refuses-what-it-names': { 'server/discover': () => refuse(-32022, { supported: [requested], requested }) },
  'refuses-once': { 'server/discover': () => (times++ === 0 ? refuse(-32022, { supported: [requested], requested }) : found()) },
  'speaks-2031-only': { 'server/discover': () => refuse(-32022, { supported: ['2031-01-01'], requested }) },
  'lists-handshake-versions': {
    'server/discover': () => refuse(-32022, { supported: ['2025-06-18'], requested }),
    initialize: () => introduced('2025-06-18'),
  },
  'malformed-refusal': { ...legacy, 'server/discover': () => refuse(-32022, { supported: 'all' }) },
  'wants-sampling': { 'server/discover': () => refuse(-32021, { requiredCapabilities: { sampling: {} } }) },
  'changing-server-info': {
    'tools/call': () => ({ ...text('fine'), _meta: { [INFO]: times++ % 2 ? 'nonsense' : { name: 'another', version: '2' } } }),
  },
  'endless-rounds': { 'tools/call': () => ({ resultType: 'input_required', requestState: `round ${times++}` }) },
  'state-of-1-mib': {
    'tools/call': ({ requestState }) =>
      requestState ? text(String(requestState === STATE)) : { resultType: 'input_required', requestState: STATE },
  },
  'listen-closes-at-once': { 'subscriptions/listen': () => ({ resultType: 'complete' }) },
  'never-acknowledges': { 'subscriptions/listen': silent },
  'ttl-of-minus-one': { 'server/discover': () => found({ ttlMs: -1 }), 'tools/list': () => listed({ ttlMs: -1 }) },
  'ttl-for-ever': { 'server/discover': () => found({ ttlMs: 1e15 }), 'tools/list': () => listed({ ttlMs: 1e15 }) },
  'asks-by-request': {
    'tools/call': () => ask('roots/list') ?? ask('ping') ?? text('fine'),
  },
  'unknown-result-type': { 'tools/call': () => ({ resultType: 'task', taskId: '1' }) },
  'forgets-the-version': { 'tools/call': () => refuse(-32022, { supported: ['2031-01-01'], requested }) },
  'mirrored-control-characters': {
    'tools/list': () => listed({}, tool({ region: { type: 'string', 'x-mcp-header': 'Region' } })),
    'tools/call': (_params, headers) => text(headers['mcp-param-region'] ?? 'no header'),
  },
  'html-404': legacy,
  '400-empty': legacy,
  '400-for-nobody': legacy,
  '400-modern': { 'server/discover': () => refuse(-32022, { supported: [requested], requested }) },
  'header-mismatch': { 'server/discover': () => refuse(-32020) },
  'wrong-header-echo': {},
  'says-500': {},
}
const STATE = 'ü'.repeat(1 << 19)
const listed = (more, only = tool()) => ({ resultType: 'complete', tools: [only], ttlMs: 0, cacheScope: 'private', ...more })
const GOOD = {
  'server/discover': () => found(),
  'tools/list': () => listed(),
  'tools/call': () => text('fine'),
  'subscriptions/listen': silent,
}

let say = () => {}
let probe
/** Answers the probe after all. */
function late() {
  setImmediate(() => say({ id: probe, result: found() }))
}

/** Asks the client, which no server may do. */
function ask(method) {
  say({ id: method, method })
}

/** The reply to a request; undefined when there is none. */
function replyTo({ id, method, params }, headers = {}) {
  process.stderr.write(`got ${method}\n`)
  if (id === undefined) return undefined
  if (method === 'server/discover') probe = id
  const answers = { ...GOOD, ...MODES[mode] }
  try {
    const answer = MODES[mode]['*'] ?? answers[method] ?? (() => refuse(-32601))
    const result = answer(params ?? {}, headers)
    return result && { id, result }
  } catch (error) {
    if (typeof error.code !== 'number') throw error
    return { id, error }
  }
}

const STATUS = { 'html-404': 404, '400-empty': 400, '400-for-nobody': 400, 'says-500': 500 }

async function overHttp(request, response) {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const message = JSON.parse(await bodyOf(request))
  const status = STATUS[mode]
  if (status && (message.method === 'server/discover' || status === 500)) {
    if (mode === 'html-404') return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not found</p>')
    if (mode !== '400-for-nobody') return response.writeHead(status).end()
    const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } }
    return response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  }
  const reply = replyTo(message, request.headers)
  if (!reply) return message.id === undefined && response.writeHead(202).end()
  const refused = reply.error && MODES[mode] !== legacy
  const headers = {
    'content-type': 'application/json',
    'mcp-session-id': 'nobody-asked',
    ...(mode === 'wrong-header-echo' && { 'mcp-protocol-version': '2024-11-05', 'mcp-method': 'tools/delete' }),
  }
  response.writeHead(refused ? 400 : 200, headers).end(JSON.stringify({ jsonrpc: '2.0', ...reply }))
}

if (!MODES[mode]) throw new Error(`There is no mode ${mode}`)
if (over === 'http') {
  createServer((request, response) => void overHttp(request, response)).listen(0, '127.0.0.1', function () {
    console.log(this.address().port)
  })
} else {
  say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  if (mode === 'garbage') process.stdout.write('Welcome!\n{"half": \n[1,2,3]\n')
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const reply = replyTo(JSON.parse(line))
      if (reply) say(reply)
      if (mode === 'garbage') process.stdout.write('done with that\n')
    })
    .on('close', () => process.exit(0))
}
