import { EventEmitter } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network between the host and a server at loopback that can be cut; the server may come back at another port. */
export class WeakNetwork {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #news = new EventEmitter()
  readonly port: number
  /** The server's port; undefined while the network is away. */
  to: number | undefined

  private constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
    server.on('connection', (socket) => this.#carry(socket))
  }

  static async open(): Promise<WeakNetwork> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return new WeakNetwork(server, typeof address === 'object' && address ? address.port : 0)
  }

  /** Ends every connection; returns the port that the server had. */
  cut(): number | undefined {
    const { to } = this
    this.to = undefined
    for (const socket of this.#sockets) socket.destroy()
    return to
  }

  /** Resolves when somebody next tries in vain to reach the server. */
  refused(): Promise<void> {
    return new Promise((resolve) => this.#news.once('refused', resolve))
  }

  /** Resolves when the server next says something. */
  carried(): Promise<void> {
    return new Promise((resolve) => this.#news.once('carried', resolve))
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #carry(near: Socket): void {
    if (this.to === undefined) {
      near.destroy()
      this.#news.emit('refused')
      return
    }
    const far = connect(this.to, '127.0.0.1')
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => {}) // Its end is what counts.
      socket.on('close', () => {
        this.#sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    far.once('data', () => this.#news.emit('carried'))
    far.once('error', () => this.#news.emit('refused'))
    near.pipe(far).pipe(near)
  }
}
