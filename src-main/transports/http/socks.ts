import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { TransportError } from '../../protocol/peer/transport.ts'

/** The first byte of a client of version 5. No request of HTTP begins with it. */
export const SOCKS = 5

interface SocksOptions {
  /** `name:password` that the client has to give (RFC 1929). */
  readonly credentials: string | undefined
  /** Connects to `host:port`, an IPv6 address in brackets; rejects with a TransportError. */
  readonly dial: (authority: string) => Promise<Socket>
}

/** Numbers of RFC 1928, section 6. */
const REPLY = { done: 0, failed: 1, refused: 2, unreachable: 4, command: 7, address: 8 }
const [NO_AUTHENTICATION, PASSWORD, NONE] = [0, 2, 0xff]
const CONNECT = 1

/** Serves one client of SOCKS 5 (RFC 1928): CONNECT alone, to names and addresses. Destroys the socket of any other client. */
export async function serveSocks(socket: Socket, { credentials, dial }: SocksOptions): Promise<void> {
  const bytes = new ClientBytes(socket)
  const take = (size: number) => bytes.take(size)
  const reply = (code: number) => Buffer.from([SOCKS, code, 0, 1, 0, 0, 0, 0, 0, 0])
  try {
    const [, methods = 0] = await take(2)
    const wanted = credentials === undefined ? NO_AUTHENTICATION : PASSWORD
    if (!(await take(methods)).includes(wanted)) return void socket.end(Buffer.from([SOCKS, NONE]))
    socket.write(Buffer.from([SOCKS, wanted]))
    if (credentials !== undefined) {
      const [, nameSize = 0] = await take(2)
      const name = await take(nameSize)
      const [passwordSize = 0] = await take(1)
      if (`${name}:${await take(passwordSize)}` !== credentials) return void socket.end(Buffer.from([1, 1]))
      socket.write(Buffer.from([1, 0]))
    }
    const [version, command, , kind = 0] = await take(4)
    if (version !== SOCKS) throw new Error('This is another protocol.')
    const host = await takeHost(kind, take)
    if (host === undefined) return void socket.end(reply(REPLY.address))
    const port = (await take(2)).readUInt16BE()
    if (command !== CONNECT) return void socket.end(reply(REPLY.command))
    const onward = await dial(`${host}:${port}`).catch((error: unknown) => codeOf(error))
    if (typeof onward === 'number') return void socket.end(reply(onward))
    socket.write(reply(REPLY.done))
    bytes.putBackRest()
    pipeline(socket, onward, socket, () => {})
  } catch {
    // The client spoke another protocol, or left before the end of its request.
    socket.destroy()
  }
}

async function takeHost(kind: number, take: (size: number) => Promise<Buffer>): Promise<string | undefined> {
  if (kind === 1) return (await take(4)).join('.')
  if (kind === 3) return (await take((await take(1))[0] ?? 0)).toString('latin1')
  if (kind !== 4) return undefined
  const address = await take(16)
  return `[${[0, 2, 4, 6, 8, 10, 12, 14].map((at) => address.readUInt16BE(at).toString(16)).join(':')}]`
}

const codeOf = (error: unknown) => {
  if (!(error instanceof TransportError)) return REPLY.failed
  return error.code === 'refused' ? REPLY.refused : REPLY.unreachable
}

/** Reads exactly as many bytes as are asked for, however they arrive. */
class ClientBytes {
  readonly #socket: Socket
  #kept = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async take(size: number): Promise<Buffer> {
    while (this.#kept.length < size) this.#kept = Buffer.concat([this.#kept, await this.#piece()])
    const taken = this.#kept.subarray(0, size)
    this.#kept = this.#kept.subarray(size)
    return taken
  }

  /** Bytes after the request belong to the host that was dialled. */
  putBackRest(): void {
    if (this.#kept.length > 0) this.#socket.unshift(this.#kept)
  }

  #piece(): Promise<Buffer> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The client ended.'))
      if (socket.readableEnded || socket.destroyed) return ended()
      socket.once('end', ended).once('close', ended)
      socket.once('data', (piece: Buffer) => {
        socket.pause().off('end', ended).off('close', ended)
        resolve(piece)
      })
      socket.resume()
    })
  }
}
