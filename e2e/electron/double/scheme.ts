import { onlyKeys } from './modelled.ts'
import { isReady, needsReady } from './readiness.ts'

type Handler = (request: Request) => Promise<Response> | Response

const privileged = new Set<string>()
/** Those whose media elements take what comes in parts. */
const streaming = new Set<string>()
const handlers = new Map<string, Handler>()

export const protocol = {
  registerSchemesAsPrivileged(schemes: readonly { scheme: string; privileges: Record<string, boolean> }[]) {
    if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    // A second call replaces the list of the first.
    if (privileged.size > 0) throw new Error('protocol.registerSchemesAsPrivileged can only be called once')
    for (const { scheme, privileges } of schemes) {
      onlyKeys('privileges', privileges, ['standard', 'secure', 'supportFetchAPI', 'codeCache', 'stream'])
      if (!privileges.standard || !privileges.secure) throw new Error('The double stands in for standard, secure schemes only')
      privileged.add(scheme)
      if (privileges.stream) streaming.add(scheme)
    }
  },
  handle(scheme: string, handler: Handler) {
    needsReady('protocol')
    if (!privileged.has(scheme)) throw new Error(`${scheme} was not registered as privileged before the app was ready`)
    handlers.set(scheme, handler)
  },
}

/**
 * Chromium knows nothing of the app's scheme, so `parley-page://app/x` travels as `http://app.parley-page.localhost/x`: a secure context
 * with an origin of its own. Nothing listens there; every request is answered by the scheme's handler.
 */
export function toChromium(url: string): string {
  const [, scheme, rest] = /^([a-z-]+):\/\/(.*)$/.exec(url) ?? []
  if (!scheme || !handlers.has(scheme)) return url
  const at = (rest as string).indexOf('/')
  return `http://${(rest as string).slice(0, at)}.${scheme}.localhost${(rest as string).slice(at)}`
}

export function fromChromium(url: string): string {
  return url.replace(/^http:\/\/([^./]+)\.([a-z-]+)\.localhost(?=\/)/, '$2://$1')
}

/** The handler's whole answer, headers included, so that its content policy is the one in force. Undefined for other schemes. */
export async function answerScheme(
  url: string,
  method: string,
  sent: Readonly<Record<string, string>> = {},
  posted?: Buffer | null,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer } | undefined> {
  const own = fromChromium(url)
  const handler = handlers.get(own.slice(0, own.indexOf(':')))
  if (!handler) return undefined
  const response = await handler(new Request(own, { method, headers: sent, body: posted ? new Uint8Array(posted) : null }))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** True if Electron's media elements play it: they need a scheme that streams, and its length beforehand. */
export function playsMedia(url: string, answer: { readonly headers: Readonly<Record<string, string>> }): boolean {
  const own = fromChromium(url)
  return streaming.has(own.slice(0, own.indexOf(':'))) && answer.headers['content-length'] !== undefined
}
