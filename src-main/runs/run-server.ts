import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import type { Clock } from '../../src-shared/base/clock.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import type { Host } from '../host/host.ts'
import { firstLine, PROMPT_LIMIT, type RunAsk, type RunLine } from './run-messages.ts'
import { runPrompt } from './run-prompt.ts'

/** Clients at a time. */
const CLIENTS = 8
/** Milliseconds for a client to send its first line. */
const FIRST_LINE_LIMIT = 10_000
/** Characters of the first line: a prompt of which every character is escaped. */
const LINE_LIMIT = PROMPT_LIMIT * 6 + 10_000
const KEY_BYTES = 32

/** The door of a running host for the command line: a port on 127.0.0.1, and the key that a client has to show. */
export interface RunDoor {
  readonly port: number
  readonly key: string
}

export interface RunServer extends RunDoor {
  /** Answers requests for a link to the page. */
  setLink(link: () => string): void
  close(): void
}

/** Lets the command line of the same account run prompts in this host. The key is in the owner-only file beside the lock. */
export async function serveRuns(host: Host, clock: Clock): Promise<RunServer> {
  const key = randomBytes(KEY_BYTES).toString('hex')
  const sockets = new Set<Socket>()
  let link: (() => string) | undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A client may vanish at any time; 'close' follows.
    socket.on('error', () => {})
    void serve(socket)
  })
  server.maxConnections = CLIENTS

  async function serve(socket: Socket): Promise<void> {
    const cancel = clock.after(FIRST_LINE_LIMIT, () => socket.destroy())
    const line = await readLine(socket)
    cancel()
    const ask = line === undefined ? undefined : askOf(line, key)
    if (!ask) {
      socket.destroy()
      return
    }
    // Resumed, so that its end is noticed.
    socket.resume()
    try {
      say(socket, ask.is === 'link' ? linkLine(link) : await run(ask, socket))
    } catch (error) {
      say(socket, { is: 'refused', why: error instanceof Error ? error.message : String(error) })
    }
    socket.end()
  }

  async function run({ request }: Extract<RunAsk, { is: 'run' }>, socket: Socket): Promise<RunLine> {
    const left = new AbortController()
    socket.once('close', () => left.abort(new HostError('cancelled', 'The command was stopped.')))
    const onNote = (text: string) => say(socket, { is: 'note', text })
    return { is: 'outcome', outcome: await runPrompt(host, request, { signal: left.signal, onNote }) }
  }

  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      typeof address === 'object' && address ? resolve(address.port) : reject(new Error('There is no port.'))
    })
  })
  return {
    port,
    key,
    setLink: (fresh) => {
      link = fresh
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const linkLine = (link: (() => string) | undefined): RunLine =>
  link ? { is: 'link', link: link() } : { is: 'refused', why: 'Parley is open as a desktop app, which has no link.' }

function say(socket: Socket, line: RunLine): void {
  if (socket.writable) socket.write(`${JSON.stringify(line)}\n`)
}

/** The first line without its end; undefined when it is too long or never ends. */
function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8')
    const read = (piece: string) => {
      text += piece
      const end = text.indexOf('\n')
      if (end < 0 && text.length <= LINE_LIMIT) return
      socket.off('data', read)
      resolve(end < 0 ? undefined : text.slice(0, end))
    }
    socket.on('data', read)
    socket.once('close', () => resolve(undefined))
  })
}

/** Undefined for a line that is no request with this key. */
function askOf(line: string, key: string): RunAsk | undefined {
  let value: unknown
  try {
    value = parseJson(line)
  } catch {
    // A stranger's words: the connection is closed without an answer.
    return undefined
  }
  const read = firstLine.safeParse(value)
  if (!read.success) return undefined
  const [given, wanted] = [Buffer.from(read.data.key), Buffer.from(key)]
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? read.data.ask : undefined
}
