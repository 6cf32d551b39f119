import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** An HTTP proxy on loopback that tunnels by CONNECT and records the targets. With a login it refuses everybody else. */
export class ConnectProxy {
  readonly targets: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(login: string | undefined, leadsTo: number | undefined) {
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
    this.#server = createServer((_, response) => response.writeHead(501).end())
    this.#server.on('connect', (request, socket: Socket) => {
      if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="test"\r\n\r\n')
        return
      }
      const [host = '', port] = (request.url ?? '').split(':')
      this.targets.push(request.url ?? '')
      const target = leadsTo === undefined ? { host, port: Number(port) } : { host: '127.0.0.1', port: leadsTo }
      const onward = connect(target, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [socket, onward]) {
        this.#sockets.add(end)
        end.on('error', () => {}).on('close', () => this.#sockets.delete(end))
      }
    })
  }

  /**
   * @param login `user:password`
   * @param leadsTo The port on loopback that stands for every target.
   */
  static async serve(login?: string, leadsTo?: number): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(login, leadsTo)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(() => resolve(undefined)))
  }
}
