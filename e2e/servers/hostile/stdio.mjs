// A server over stdio that misbehaves in one named way and is a plain server otherwise. No SDK: `node stdio.mjs <behaviour>`.
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const write = (text) => process.stdout.write(text)
const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (text) => ({ content: [{ type: 'text', text }] })
const big = 'x'.repeat(1 << 20)

/** Writes block after block, as fast as the other side reads, then `then`; listens to nothing meanwhile. */
function stream(block, times, then) {
  let left = times
  input.pause()
  const step = () => {
    while (left > 0) {
      left -= 1
      if (!write(block)) return process.stdout.once('drain', step)
    }
    then()
    input.resume()
  }
  step()
}

/** Each may replace what happens at the start, at `initialize`, at `tools/list`, and when the tool `hostile` is called. */
const behaviours = {
  'exits-at-once': {
    start() {
      console.error('no licence')
      process.exit(1)
    },
  },
  'exits-at-once-with-0': { start: () => process.exit(0) },
  'exits-at-initialize': { initialize: () => process.exit(7) },
  'never-answers': { initialize() {} },
  'unknown-version': { initialize: (id) => send({ id, result: { ...hello, protocolVersion: '1999-01-01' } }) },
  'version-is-a-number': { initialize: (id) => send({ id, result: { ...hello, protocolVersion: 20251125 } }) },
  'no-server-info': { initialize: (id) => send({ id, result: { protocolVersion: hello.protocolVersion, capabilities: {} } }) },
  'initialize-fails': {
    initialize: (id) =>
      send({ id, error: { code: -32602, message: 'Unsupported protocol version', data: { supported: ['1999-01-01'] } } }),
  },
  'result-and-error': { call: (id) => send({ id, result: text('x'), error: { code: 1, message: 'x' } }) },
  'result-is-null': { call: (id) => send({ id, result: null }) },
  'error-code-is-text': { call: (id) => send({ id, error: { code: 'E', message: 5 } }) },
  'content-is-no-array': { call: (id) => send({ id, result: { content: 'text' } }) },
  'banner-lines': {
    start: () => write('Welcome to the server!\n\n   ___\n[INFO] listening\n{not json}\n'),
    call: (id) => {
      write('debug: calling\n')
      send({ id, result: text('done') })
    },
  },
  'crlf-and-bom': {
    start: () => write('\ufeff'),
    call: (id) => write(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('done') })}\r\n`),
  },
  'pretty-printed': { call: (id) => write(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('done') }, null, 2)}\n`) },
  'half-a-line': { call: (id) => write(`{"jsonrpc":"2.0","id":${id},"result":`) },
  'one-byte-at-a-time': {
    call(id) {
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('ü€𝄞') })}\n`)
      let at = 0
      const step = () => at < bytes.length && process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(step))
      step()
    },
  },
  '100-mebibytes-in-one-line': {
    call: (id) => {
      write(`{"jsonrpc":"2.0","id":${id},"result":{"content":"`)
      stream(big, 100, () => write('"}}\n'))
    },
  },
  'a-large-line-with-its-id-last': {
    call: (id) => {
      write('{"result":{"content":"')
      stream(big, 8, () => write(`"},"id":${id},"jsonrpc":"2.0"}\n`))
    },
  },
  'a-line-without-end': {
    call(id) {
      write(`{"jsonrpc":"2.0","id":${id},"result":"`)
      setInterval(() => write(big), 20)
    },
  },
  'large-line-after-large-line': {
    call: (id) => {
      for (let n = 0; n < 3; n++) send({ id, result: text(big + big) })
    },
  },
  'deep-nesting': {
    call: (id) =>
      write(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}\n`,
      ),
  },
  'proto-keys': {
    call(id) {
      const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
      write(
        `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${evil},"__proto__":{"polluted":1}}}\n`,
      )
      write(
        `{"jsonrpc":"2.0","__proto__":{"polluted":1},"id":${id},"result":{"content":[{"type":"text","text":"done"}],"_meta":${evil},"__proto__":{"polluted":1}}}\n`,
      )
    },
  },
  'invalid-utf8': {
    call: (id) =>
      process.stdout.write(
        Buffer.concat([
          Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`),
          Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
          Buffer.from('"}]}}\n'),
        ]),
      ),
  },
  'answers-twice': {
    call(id) {
      send({ id, result: text('done') })
      send({ id, result: text('again') })
      send({ id, error: { code: 1, message: 'no' } })
    },
  },
  'answers-to-nothing': {
    call(id) {
      send({ id: 9999, result: {} })
      send({ id: -1, result: {} })
      send({ id: null, error: { code: 1, message: 'x' } })
      send({ id, result: text('done') })
    },
  },
  'answers-with-a-text-id': { call: (id) => send({ id: String(id), result: text('done') }) },
  'answers-with-a-fraction': { call: (id) => send({ id: id + 0.5, result: text('done') }) },
  'odd-values': {
    call: (id) => {
      write('42\nnull\n"text"\ntrue\n[]\n[[]]\n{}\n{"jsonrpc":"1.0"}\n')
      send({ id, result: text('done') })
    },
  },
  'a-batch-where-there-are-none': {
    call: (id) => {
      write(`[{"jsonrpc":"2.0","method":"notifications/x"}]\n`)
      send({ id, result: text('done') })
    },
  },
  'reuses-request-ids': {
    call(id) {
      send({ id: 'a', method: 'roots/list' })
      send({ id: 'a', method: 'roots/list' })
      send({ id: 'a', method: 'ping' })
      send({ id, result: text('done') })
    },
  },
  'wrong-typed-request-ids': {
    call: (id) => {
      for (const odd of [{}, [], 1.5, true, null, '']) send({ id: odd, method: 'ping' })
      send({ id, result: text('done') })
    },
  },
  'wrong-typed-params': {
    call: (id) => {
      for (const params of [5, 'x', [], null]) {
        send({ id: `p${params}`, method: 'roots/list', params })
        send({ method: 'notifications/progress', params })
        send({ method: 'notifications/cancelled', params })
      }
      send({ id, result: text('done') })
    },
  },
  'cancels-what-is-ours': {
    call(id) {
      send({ method: 'notifications/cancelled', params: { requestId: id } })
      send({ id, result: text('done') })
    },
  },
  'floods-notifications': {
    call: (id) =>
      stream(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`.repeat(
          1000,
        ),
        100,
        () => send({ id, result: text('done') }),
      ),
  },
  'floods-progress': {
    call: (id) => {
      for (let n = 0; n < 20_000; n++) send({ method: 'notifications/progress', params: { progressToken: n, progress: -n } })
      send({ id, result: text('done') })
    },
  },
  'floods-changes': {
    call: (id) => {
      for (let n = 0; n < 2_000; n++) send({ method: 'notifications/tools/list_changed' })
      send({ id, result: text('done') })
    },
  },
  'floods-requests': {
    call: (id) => {
      for (let n = 0; n < 5_000; n++) send({ id: `s${n}`, method: n % 2 ? 'ping' : 'roots/list' })
      send({ id, result: text('done') })
    },
  },
  'endless-pages': { list: (id, page) => send({ id, result: { tools: [], nextCursor: `page ${page}` } }) },
  'repeating-cursor': { list: (id) => send({ id, result: { tools: [], nextCursor: 'again' } }) },
  'list-of-nonsense': {
    list: (id) =>
      send({
        id,
        result: { tools: [null, 5, {}, { name: 5 }, { name: 'a' }, { name: 'hostile', inputSchema: { type: 'object' } }] },
      }),
  },
  'list-is-a-text': { list: (id) => send({ id, result: { tools: 'none' } }) },
  'list-is-refused': { list: (id) => send({ id, error: { code: -32603, message: 'no' } }) },
  'exits-in-the-middle': {
    call() {
      console.error('segmentation fault')
      process.exit(139)
    },
  },
  'kills-itself': { call: () => process.kill(process.pid, 'SIGKILL') },
  'closes-its-output': {
    call: () => {
      closeSync(1)
      setInterval(() => {}, 1000)
    },
  },
  'floods-stderr': {
    call: (id) => {
      const noise = Buffer.alloc(1 << 20, 'e')
      for (let n = 0; n < 20; n++) process.stderr.write(noise)
      send({ id, result: text('done') })
    },
  },
  'stops-reading': { call: () => process.stdin.pause() },
  'ignores-the-end': {
    start() {
      process.on('SIGTERM', () => {})
      process.stdin.on('end', () => {})
      setInterval(() => {}, 1000)
    },
  },
  'leaves-a-grandchild': {
    call(id) {
      const script = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
      child.unref()
      send({ id, result: text(String(child.pid)) })
    },
  },
  'never-answers-a-call': { call() {} },
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, logging: {} },
  serverInfo: { name: 'hostile', version: '1' },
}
const tools = ['hostile', 'fine'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const behaviour = behaviours[process.argv[2]]
if (!behaviour) {
  console.error(`behaviours: ${Object.keys(behaviours).join(' ')}`)
  process.exit(64)
}
/** Says so on stderr, for a test that waits for it. */
function misbehave(act, id) {
  act(id)
  console.error('misbehaves')
}

const input = createInterface(process.stdin)
let pages = 0

input.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') behaviour.initialize ? misbehave(behaviour.initialize, id) : send({ id, result: hello })
  else if (method === 'tools/list') behaviour.list ? behaviour.list(id, ++pages) : send({ id, result: { tools } })
  else if (method === 'tools/call' && params.name === 'hostile' && behaviour.call) misbehave(behaviour.call, id)
  else if (method === 'tools/call') send({ id, result: text('fine') })
  else if (method === 'ping') send({ id, result: {} })
})
behaviour.start?.()
