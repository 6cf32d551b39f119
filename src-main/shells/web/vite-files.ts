import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { contentPolicy } from '../content-policy.ts'
import { type PageFiles, refuse } from './page-server.ts'

/** The page straight from its sources with hot reload, for `--dev`. Inline code of Vite's own carries a nonce. */
export async function viteFiles(
  root: string,
  server: Server,
  origin: () => string,
): Promise<PageFiles & { close(): Promise<void> }> {
  const { createServer } = await import('vite')
  const nonce = randomBytes(16).toString('base64')
  const vite = await createServer({
    configFile: resolve(root, 'vite.config.ts'),
    appType: 'spa',
    html: { cspNonce: nonce },
    server: { middlewareMode: true, ws: { server } },
    clearScreen: false,
  })
  return {
    async answer(_path, request, response) {
      const connect = ["'self'", origin().replace('http:', 'ws:')]
      response.setHeader('content-security-policy', contentPolicy(connect, nonce))
      vite.middlewares(request, response, () => refuse(response, 404))
    },
    ownsSocket: (request) => /\bvite-(hmr|ping)\b/.test(request.headers['sec-websocket-protocol'] ?? ''),
    close: () => vite.close(),
  }
}
