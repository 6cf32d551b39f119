// The limit: a client by hand that checks nothing, has no deadlines, can cancel nothing, and asks one thing at a time.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }

/** The common part of both transports: `send` sends a body, `heard` takes the answer's text. */
function client(modern, send, close) {
  let id = 0
  let settle
  const request = (method, params) =>
    new Promise((resolve) => {
      settle = resolve
      send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: modern ? { ...params, _meta: META } : params }))
    })
  return {
    heard: (text) => settle(JSON.parse(text).result),
    open: () =>
      modern
        ? request('server/discover', {})
        : request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'limit', version: '1' } }),
    connection: { callTool: (name, args) => request('tools/call', { name, arguments: args }), close },
  }
}

export async function connectStdio(command, args, { modern, takesSocket = false }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit', ...(takesSocket ? ['ipc'] : [])] })
  child.on('message', (_message, socket) => socket?.close())
  const it = client(
    modern,
    (body) => child.stdin.write(`${body}\n`),
    () => child.kill(),
  )
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) it.heard(line)
  })
  await it.open()
  return it.connection
}

export async function connectHttp(url, { modern }) {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').setNoDelay()
  const send = (body) =>
    socket.write(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  const it = client(modern, send, () => socket.destroy())
  let rest = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    rest += chunk
    // A chunked body of one chunk, as Node's server writes what has no length; its last byte ends the reply.
    if (!rest.endsWith('0\r\n\r\n')) return
    const body = rest.slice(rest.indexOf('{'), rest.lastIndexOf('}') + 1)
    rest = ''
    it.heard(body)
  })
  await it.open()
  return it.connection
}
