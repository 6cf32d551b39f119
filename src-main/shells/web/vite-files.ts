import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { viewOrigin } from '../../../src-shared/contract/apps.ts'
import { contentPolicy } from '../content-policy.ts'
import { FRAME_PATHS, framePolicy } from '../frame-documents.ts'
import { type PageFiles, refuse } from './page-server.ts'

/** The page from its sources with hot reload, for `--dev`. Vite's inline code has a nonce. */
export async function viteFiles(
  root: string,
  server: Server,
  origin: () => string,
): Promise<PageFiles & { close(): Promise<void> }> {
  const { createBuilder, createServer } = await import('vite')
  const configFile = resolve(root, 'vite.config.ts')
  const nonce = randomBytes(16).toString('base64')
  const vite = await createServer({
    configFile,
    appType: 'spa',
    html: { cspNonce: nonce },
    server: { middlewareMode: true, ws: { server } },
    clearScreen: false,
  })
  const frames = new Map<string, Promise<Buffer>>()
  /** A frame must be one document, so it is built when it is first shown. */
  const buildFrame = async (path: string) => {
    const builder = await createBuilder({ configFile, logLevel: 'warn', build: { write: false } })
    const environment = builder.environments[path.split('/')[1] ?? '']
    const built = environment && (await builder.build(environment))
    const files = built && 'output' in built ? built.output : []
    const document = files.find((file) => file.fileName === 'index.html')
    if (document?.type !== 'asset') throw new Error(`The frame ${path} was not built`)
    return Buffer.from(document.source)
  }
  return {
    async answer(path, request, response) {
      if (FRAME_PATHS.includes(path)) {
        const building = frames.get(path) ?? buildFrame(path)
        frames.set(path, building)
        const document = await building
        response.setHeader('content-security-policy', framePolicy(path, document) ?? "default-src 'none'")
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(document)
        return
      }
      const connect = ["'self'", origin().replace('http:', 'ws:')]
      response.setHeader('content-security-policy', contentPolicy(connect, [viewOrigin('*', origin())], nonce))
      vite.middlewares(request, response, () => refuse(response, 404))
    },
    ownsSocket: (request) => /\bvite-(hmr|ping)\b/.test(request.headers['sec-websocket-protocol'] ?? ''),
    close: () => vite.close(),
  }
}
