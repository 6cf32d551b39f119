import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { protocol } from 'electron'
import { APP_PATH, type AppPageSource, appAddress, appHeaders, MAX_REPORT, REPORT_HEADERS } from '../app-pages.ts'
import { type BlobLinks, blobHeaders, type LinkedBlob } from '../blob-links.ts'
import { partOf } from '../byte-range.ts'
import { contentPolicy, GUARD_HEADERS } from '../content-policy.ts'
import { FRAME_PATHS, framePolicy } from '../frame-documents.ts'
import { rendererFile } from '../renderer-files.ts'
import { OPENED_PATH } from './desktop/opened-files.ts'

/** Not registered with the system, so that no link from outside is an address of the page (decision 0036). */
const SCHEME = 'parley-page'
export const PAGE_ORIGIN = `${SCHEME}://app`
export const PAGE_URL = `${PAGE_ORIGIN}/index.html`
const FRAME_URLS: readonly string[] = FRAME_PATHS.map((path) => `${PAGE_ORIGIN}${path}`)

/** True for a document that the page may embed. */
export function mayEmbed(address: string): boolean {
  if (FRAME_URLS.includes(address)) return true
  // Not by `origin`, which Node's URL has for the web's own schemes alone.
  return address.startsWith(`${PAGE_ORIGIN}/`) && appAddress(address.slice(PAGE_ORIGIN.length))?.reports === false
}

/** Makes our scheme a secure origin with streaming. Call it before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true } },
  ])
}

/** Content that the page may read besides its own files. */
interface PageContent {
  blob(blob: string): Promise<Uint8Array>
  /** The path of content that is too large for memory. */
  fileOf(blob: string): string | undefined
  /** Pages of servers' views. */
  readonly apps: AppPageSource
  /** A file that the person opened with Parley. */
  opened(token: string): Promise<Uint8Array | undefined>
}

/** Serves the built page and blobs under our scheme, with a content policy in every response. */
export function servePageScheme(folder: string, links: BlobLinks, content: PageContent): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    if (url.host === 'app' && url.pathname.startsWith(APP_PATH)) return answerApp(content.apps, url.pathname, request)
    if (request.method !== 'GET' || url.host !== 'app') return refuse(405)
    if (url.pathname.startsWith('/blob/')) {
      const linked = links.check(url)
      const path = linked && content.fileOf(linked.blob)
      if (linked && path !== undefined) return answerFile(path, linked)
      const bytes = linked && (await content.blob(linked.blob).catch(() => undefined)) // Answered as not found.
      return linked && bytes ? answer(bytes, blobHeaders(linked), request) : refuse(404)
    }
    if (url.pathname.startsWith(OPENED_PATH)) {
      const bytes = await content.opened(url.pathname.slice(OPENED_PATH.length)).catch(() => undefined) // Answered as not found.
      return bytes ? answer(bytes, OPENED_HEADERS, request) : refuse(404)
    }
    const file = await rendererFile(folder, url.pathname)
    if (!file) return refuse(404)
    const policy = framePolicy(url.pathname, file.bytes) ?? contentPolicy(["'self'"])
    return answer(
      file.bytes,
      { 'content-type': file.type, 'cache-control': file.cache, 'content-security-policy': policy },
      request,
    )
  })
}

async function answerApp(apps: AppPageSource, path: string, request: Request): Promise<Response> {
  const address = appAddress(path)
  if (!address || request.method !== (address.reports ? 'POST' : 'GET')) return refuse(404)
  if (address.reports) {
    const body = await request.text()
    if (body.length <= MAX_REPORT) apps.report(address.view, body)
    return new Response(null, { status: 204, headers: REPORT_HEADERS })
  }
  const page = await apps.page(address.view)
  return page ? new Response(new Uint8Array(page.bytes), { headers: appHeaders(page.policy, "'self'") }) : refuse(404)
}

const OPENED_HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': 'sandbox',
  'cache-control': 'no-store',
}

function answer(whole: Uint8Array, headers: Readonly<Record<string, string>>, request: Request): Response {
  const { status, headers: more, bytes } = partOf(whole, request.headers.get('range'))
  // A body needs a copy with its own ArrayBuffer.
  return new Response(new Uint8Array(bytes), { status, headers: { ...GUARD_HEADERS, ...headers, ...more } })
}

async function answerFile(path: string, linked: LinkedBlob): Promise<Response> {
  const { size } = await stat(path)
  const headers = { ...GUARD_HEADERS, ...blobHeaders(linked), 'cache-control': 'no-store', 'content-length': String(size) }
  return new Response(Readable.toWeb(createReadStream(path)), { headers })
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: GUARD_HEADERS })
}
