import { viewOrigin } from '../../../src-shared/contract/apps.ts'
import { contentPolicy } from '../content-policy.ts'
import { framePolicy } from '../frame-documents.ts'
import { rendererFile } from '../renderer-files.ts'
import { type PageFiles, refuse } from './page-server.ts'

export function builtFiles(folder: string, origin: () => string): PageFiles {
  return {
    async answer(path, request, response) {
      const file = await rendererFile(folder, path)
      if (!file) return refuse(response, 404)
      const policy = () => contentPolicy(["'self'", origin().replace('http:', 'ws:')], [viewOrigin('*', origin())])
      response.writeHead(200, {
        'content-type': file.type,
        'content-length': file.bytes.byteLength,
        'cache-control': file.cache,
        'content-security-policy': framePolicy(path, file.bytes) ?? policy(),
      })
      response.end(request.method === 'HEAD' ? undefined : file.bytes)
    },
  }
}
