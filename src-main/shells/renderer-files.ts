import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

interface RendererFile {
  readonly bytes: Buffer
  readonly type: string
  readonly cache: string
}

/** Reads a file of the built page by its URL path; undefined outside of `folder` and for unknown types. */
export async function rendererFile(folder: string, urlPath: string): Promise<RendererFile | undefined> {
  const path = decoded(urlPath)
  if (path === undefined) return undefined
  const name = path === '/' ? '/index.html' : path
  const type = TYPES[extname(name)]
  if (!type) return undefined
  try {
    const root = (await realpath(folder)) + sep
    const file = await realpath(join(root, name))
    if (!file.startsWith(root)) return undefined
    // Names under assets/ have a hash of their content.
    const cache = name.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store'
    return { bytes: await readFile(file), type, cache }
  } catch {
    return undefined
  }
}

function decoded(urlPath: string): string | undefined {
  try {
    const path = decodeURIComponent(urlPath)
    return path.startsWith('/') && !path.includes('\0') && !path.includes('\\') ? path : undefined
  } catch {
    return undefined
  }
}
