import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'

export const certificate = (name: 'authority.pem' | `${'localhost' | 'expired' | 'elsewhere'}.${'pem' | 'key'}`) =>
  readFile(new URL(`certificates/${name}`, import.meta.url), 'utf8')

/** The same server over TLS, as https://localhost with a certificate of an authority that no system knows. */
export async function tlsFront(url: string): Promise<{ url: string; host: string; close(): Promise<void> }> {
  const target = new URL(url)
  const [key, cert] = await Promise.all([certificate('localhost.key'), certificate('localhost.pem')])
  const sockets = new Set<Socket>()
  const server = createServer({ key, cert }, (socket) => {
    const onward = connect(Number(target.port), target.hostname)
    sockets.add(socket)
    socket.pipe(onward).pipe(socket)
    socket
      .on('error', () => onward.destroy())
      .on('close', () => {
        sockets.delete(socket)
        onward.destroy()
      })
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    url: `https://${host}${target.pathname === '/' ? '' : target.pathname}`,
    host,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
