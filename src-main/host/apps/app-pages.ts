import { timeLimit } from '../../../src-shared/base/clock.ts'
import { canonicalJson, isObject } from '../../../src-shared/base/json.ts'
import { APP_PAGE_LIMIT, type AppDomains, type CallApp } from '../../../src-shared/contract/apps.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { appOf } from '../../../src-shared/mcp/app-tools.ts'
import type { ResourceContents } from '../../../src-shared/mcp/content.ts'
import type { CallToolResult } from '../../../src-shared/mcp/primitives.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { asHostError } from '../core/host-errors.ts'
import { type PersonRules, refuseDenied } from '../servers/person-rules.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import { readDomains } from './app-domains.ts'

/** The MIME type of a view's page (MCP Apps 2026-01-26, UI resources). */
const APP_MIME = 'text/html;profile=mcp-app'
/** Milliseconds for which the page may take longer than its call. */
const PAGE_WAIT = 5_000
/** Bytes of a result that goes to a view. */
const RESULT_LIMIT = 4 * 1024 * 1024

interface AppPagesParts extends Pick<HostCore, 'storage' | 'clock'> {
  readonly servers: Servers
  readonly rules: PersonRules
}

/** Makes the view of a call from its result. Failures are told in the view's place. */
export type ViewOf = (result: CallToolResult) => Promise<CallApp>

interface Page {
  readonly html: Buffer
  readonly domains: AppDomains
  readonly refused: readonly string[]
}

class NoView extends Error {}

/** Reads and keeps the pages of views. A page is read once its call is allowed, while the call runs. */
export class AppPages {
  readonly #parts: AppPagesParts
  /** The last page of each tool, by server and tool. */
  readonly #last = new Map<string, string>()

  constructor(parts: AppPagesParts) {
    this.#parts = parts
  }

  /** Undefined for a tool without a view, or where the person turned views off. `signal` ends the reading. */
  begin({ serverId, tool }: AvailableTool, signal: AbortSignal): ViewOf | undefined {
    const uri = appOf(tool)?.resourceUri
    if (uri === undefined || !this.#parts.servers.configured.find(serverId)?.record.options.apps) return undefined
    const over = new AbortController()
    const reading = this.#read(serverId, uri, AbortSignal.any([signal, over.signal]))
    // Told once the call has ended.
    reading.catch(() => {})
    return async (result) => {
      using limit = timeLimit(this.#parts.clock, PAGE_WAIT, () => new NoView('its server did not send the page in time'))
      limit.signal.addEventListener('abort', () => over.abort(limit.signal.reason), { once: true })
      try {
        return await this.#view(`${serverId}\n${tool.name}`, uri, await reading, result)
      } catch (error) {
        const late = limit.signal.aborted ? limit.signal.reason : error
        const told = late instanceof NoView ? late.message : (asHostError(late)?.message ?? 'it could not be kept')
        return { is: 'missing', why: cut(told, 300) }
      }
    }
  }

  async #view(tool: string, uri: string, { html, domains, refused }: Page, result: CallToolResult): Promise<CallApp> {
    const { blobs } = this.#parts.storage
    const json = Buffer.from(canonicalJson({ ...result, warnings: undefined }))
    if (json.length > RESULT_LIMIT) throw new NoView('its result is larger than 4 MiB')
    const page = await blobs.put(html, 'text/html')
    const before = this.#last.get(tool)
    this.#last.set(tool, page.blob)
    return {
      is: 'kept',
      uri: cut(uri, 512),
      page,
      result: await blobs.put(json, 'application/json'),
      domains,
      ...(refused.length > 0 && { refused: [...refused] }),
      ...(before !== undefined && before !== page.blob && { changed: true }),
    }
  }

  async #read(serverId: ServerId, uri: string, signal: AbortSignal): Promise<Page> {
    if (!/^ui:\/\/[^\s]+$/.test(uri) || uri.length > 2048) throw new NoView('its address is no ui:// address')
    await refuseDenied(this.#parts.rules, serverId, 'resources/read', { uri })
    const { contents } = await this.#parts.servers.calls.forPerson(serverId, { tool: uri, is: 'read', signal }, (client, how) =>
      client.readResource(uri, how),
    )
    const [one, ...more] = contents.filter((content) => content.uri === uri)
    if (!one || more.length > 0) throw new NoView('its server did not send exactly one page')
    if (one.mimeType?.replace(/\s/g, '').toLowerCase() !== APP_MIME) throw new NoView('what its server sent is no page of a view')
    const html = bytesOf(one)
    if (html.length > APP_PAGE_LIMIT) throw new NoView('its page is larger than 4 MiB')
    const ui = one._meta?.ui
    return { html, ...readDomains(isObject(ui) ? ui.csp : undefined) }
  }
}

const bytesOf = (content: ResourceContents): Buffer =>
  'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64')
