import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** One JSON-RPC message a line, by hand: these servers use no SDK, so that they can be wrong on purpose. */
export function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Answers requests by method; what has no answer gets -32601. Ends with its input. */
export function serve(answers) {
  const [, , ...args] = process.argv
  const mark = args[args.indexOf('--mark') + 1]
  if (args.includes('--mark')) writeFileSync(mark, String(process.pid))
  createInterface({ input: process.stdin })
    .on('line', async (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      const answer = answers[method]
      if (!answer) return say({ id, error: { code: -32601, message: `no ${method}` } })
      try {
        say({ id, result: await answer(params ?? {}) })
      } catch (error) {
        say({ id, error: { code: -32603, message: String(error) } })
      }
    })
    .on('close', () => process.exit(0))
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
