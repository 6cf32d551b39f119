import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const waiting = new Map()
let lastId = 0

/** One JSON-RPC message a line, by hand: these servers use no SDK, so that they can be wrong on purpose. */
export function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Asks the client. Resolves with exactly what it answered, `result` or `error`. */
export function ask(method, params) {
  lastId += 1
  const id = `ask-${lastId}`
  say({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

/** Takes everything back that was asked and not answered. */
export function withdraw() {
  for (const [requestId, resolve] of waiting) {
    say({ method: 'notifications/cancelled', params: { requestId, reason: 'no longer needed' } })
    resolve('withdrawn')
  }
  waiting.clear()
}

/** Answers requests by method; what has no answer gets -32601. Hands on notifications to `heard`. Ends with its input. */
export function serve(answers, heard = () => {}) {
  const [, , ...args] = process.argv
  const mark = args[args.indexOf('--mark') + 1]
  if (args.includes('--mark')) writeFileSync(mark, String(process.pid))
  createInterface({ input: process.stdin })
    .on('line', async (line) => {
      const { id, method, params, result, error } = JSON.parse(line)
      if (id === undefined) return heard(method, params)
      if (method === undefined) {
        waiting.get(id)?.(error ? { error } : { result })
        return waiting.delete(id)
      }
      const answer = answers[method]
      if (!answer) return say({ id, error: { code: -32601, message: `no ${method}` } })
      try {
        say({ id, result: await answer(params ?? {}) })
      } catch (failure) {
        say({ id, error: failure.refusal ?? { code: -32603, message: String(failure) } })
      }
    })
    .on('close', () => process.exit(0))
}

/** From within an answer: ends the request with this error. */
export function refuse(code, message, data) {
  throw Object.assign(new Error(message), { refusal: { code, message, data } })
}

export function handshake(name, revision) {
  return ({ protocolVersion }) => ({
    protocolVersion: revision ?? protocolVersion,
    serverInfo: { name, version: '1.2.3' },
    capabilities: { tools: { listChanged: true }, logging: {} },
    instructions: 'Be kind.',
  })
}

export const text = (value) => ({ content: [{ type: 'text', text: value }] })
