import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { contentPolicy } from '../content-policy.ts'
import { PDF_PATH, pdfPolicy } from '../pdf-document.ts'
import { type PageFiles, refuse } from './page-server.ts'

/** The page straight from its sources with hot reload, for `--dev`. Inline code of Vite's own carries a nonce. */
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
  let pdf: Promise<Buffer> | undefined
  /** The frame has to be one document, so it is built, once, when the first PDF is opened. */
  const buildPdf = async () => {
    const builder = await createBuilder({ configFile, logLevel: 'warn', build: { write: false } })
    const environment = builder.environments.pdf
    const built = environment && (await builder.build(environment))
    const files = built && 'output' in built ? built.output : []
    const document = files.find((file) => file.fileName === 'index.html')
    if (document?.type !== 'asset') throw new Error('The PDF frame was not built')
    return Buffer.from(document.source)
  }
  return {
    async answer(path, request, response) {
      if (path === PDF_PATH) {
        pdf ??= buildPdf()
        const document = await pdf
        response.setHeader('content-security-policy', pdfPolicy(document))
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(document)
        return
      }
      const connect = ["'self'", origin().replace('http:', 'ws:')]
      response.setHeader('content-security-policy', contentPolicy(connect, nonce))
      vite.middlewares(request, response, () => refuse(response, 404))
    },
    ownsSocket: (request) => /\bvite-(hmr|ping)\b/.test(request.headers['sec-websocket-protocol'] ?? ''),
    close: () => vite.close(),
  }
}
