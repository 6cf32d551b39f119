import { createHash } from 'node:crypto'
import { json, Loopback } from './loopback.ts'

interface Listed {
  readonly server: { readonly name: string; readonly version: string } & Record<string, unknown>
  readonly status?: string
  readonly statusMessage?: string
  readonly publishedAt?: string
}

/** A registry on loopback that answers as API v0.1 does, and serves packages of npm and files of bundles beside it. */
export class Registry {
  readonly #server: Loopback
  /** Versions of servers, the newest last. */
  readonly listed: Listed[] = []
  /** Claims of packages about themselves, by “name/version”. */
  readonly packages = new Map<string, object>()
  readonly files = new Map<string, Buffer>()
  /** Answers in place of the usual one while it is set. */
  instead: ((path: string) => { status: number; headers?: Record<string, string>; body: string } | undefined) | undefined
  /** The version of the API in its paths. */
  version = 'v0.1'

  private constructor(server: Loopback) {
    this.#server = server
  }

  static async serve(): Promise<Registry> {
    const server: Loopback = await Loopback.serve(({ path }, response) => {
      const instead = registry.instead?.(path)
      if (instead) return response.writeHead(instead.status, instead.headers).end(instead.body)
      const url = new URL(path, server.origin)
      const parts = url.pathname.slice(1).split('/').map(decodeURIComponent)
      const file = registry.files.get(url.pathname)
      if (file) return response.writeHead(200).end(file)
      // A name is one part of the path: with a bare slash there is nothing.
      if (parts[0] === registry.version && parts[1] === 'servers') {
        if (parts.length === 2) return json(response, registry.#page(url.searchParams))
        const one = parts.length === 5 && parts[3] === 'versions' && registry.#find(parts[2] ?? '', parts[4] ?? '')
        return one ? json(response, answerOf(one)) : json(response, { title: 'Not Found' }, {}, 404)
      }
      const about = registry.packages.get(parts.slice(1).join('/'))
      return parts[0] === 'npm' && about ? json(response, about) : json(response, {}, {}, 404)
    })
    const registry = new Registry(server)
    return registry
  }

  get address(): string {
    return this.#server.origin
  }

  /** Paths that it was asked for. */
  get asked(): readonly string[] {
    return this.#server.seen.map(({ path }) => path)
  }

  headers(at: number) {
    return this.#server.seen.at(at)?.headers
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  list(...listed: readonly Listed[]): void {
    this.listed.push(...listed)
  }

  /** A package for an entry that is a bundle, whose file it serves. */
  bundle(path: string, file: Buffer): object {
    this.files.set(path, file)
    const fileSha256 = createHash('sha256').update(file).digest('hex')
    return {
      registryType: 'mcpb',
      identifier: `${this.address}${path}`,
      version: '1.2.0',
      fileSha256,
      transport: { type: 'stdio' },
    }
  }

  /** A package of npm, which says that it belongs to `mcpName`. */
  npm(identifier: string, version: string, mcpName?: string): object {
    this.packages.set(`${identifier}/${version}`, { name: identifier, version, ...(mcpName !== undefined && { mcpName }) })
    const registryBaseUrl = `${this.address}/npm`
    return { registryType: 'npm', registryBaseUrl, identifier, version, transport: { type: 'stdio' } }
  }

  #find(name: string, version: string): Listed | undefined {
    return this.listed.findLast(({ server }) => server.name === name && (version === 'latest' || server.version === version))
  }

  #page(asked: URLSearchParams): object {
    const words = asked.get('search')?.toLowerCase() ?? ''
    const names = [...new Set(this.listed.map(({ server }) => server.name))].filter((name) => name.toLowerCase().includes(words))
    const from = asked.get('cursor') === null ? 0 : names.indexOf(asked.get('cursor')?.slice('after:'.length) ?? '') + 1
    const limit = Math.min(Number(asked.get('limit') ?? 30), 2)
    const shown = names.slice(from, from + limit)
    const last = shown.at(-1)
    return {
      servers: shown.map((name) => answerOf(this.#find(name, 'latest') as Listed)),
      metadata: { count: shown.length, ...(from + limit < names.length && { nextCursor: `after:${last}` }) },
    }
  }
}

function answerOf({ server, status, statusMessage, publishedAt }: Listed): object {
  const official = { status, statusMessage, publishedAt, isLatest: true }
  return {
    server: { $schema: 'server.schema.json', description: 'Reads notes.', ...server },
    _meta: status && { 'io.modelcontextprotocol.registry/official': official },
  }
}
