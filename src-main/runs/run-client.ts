import { connect } from 'node:net'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { type RunAsk, type RunLine, runLine } from './run-messages.ts'
import type { RunDoor } from './run-server.ts'

/** Characters of one line: an outcome with its reply. */
const LINE_LIMIT = 64 * 1024 * 1024

/** Asks a running Parley and resolves with its last line. Rejects when it cannot be reached, or ends before it has answered. */
export function askRunning(
  { port, key }: RunDoor,
  ask: RunAsk,
  { signal, onNote }: { readonly signal: AbortSignal; readonly onNote: (note: string) => void },
): Promise<RunLine> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    const fail = (why: string) => {
      socket.destroy()
      reject(new Error(why))
    }
    const stop = () => {
      socket.destroy()
      reject(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    socket.setEncoding('utf8')
    socket.once('connect', () => socket.write(`${JSON.stringify({ key, ask })}\n`))
    socket.on('data', (piece: string) => {
      text += piece
      if (text.length > LINE_LIMIT) return fail('The running Parley sent too much.')
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = readLine(text.slice(0, end))
        text = text.slice(end + 1)
        if (!line) return fail('The running Parley is a different version. Quit it, or use its version of this command.')
        if (line.is === 'note') onNote(line.text)
        else {
          resolve(line)
          socket.end()
          return
        }
      }
    })
    socket.once('error', (error) => fail(`The running Parley could not be reached: ${error.message}`))
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      fail('Parley was quit before it answered.')
    })
  })
}

function readLine(json: string): RunLine | undefined {
  try {
    return runLine.safeParse(parseJson(json)).data
  } catch {
    // Not JSON, so not this version's line; the caller says so.
    return undefined
  }
}
