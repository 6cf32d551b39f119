import { timeLimit } from '../../../src-shared/base/clock.ts'
import { canonicalJson, isObject } from '../../../src-shared/base/json.ts'
import { APP_PAGE_LIMIT, type CallApp } from '../../../src-shared/contract/apps.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { appOf } from '../../../src-shared/mcp/app-tools.ts'
import type { CallToolResult, ResourceContents } from '../../../src-shared/mcp/content.ts'
import type { Client } from '../../client/client.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { asHostError } from '../core/host-errors.ts'
import { KeptRecords } from '../core/kept-records.ts'
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
/** Pages that are kept for one connection; the oldest is read again. */
const MAX_PAGES = 32

interface AppPagesParts extends Pick<HostCore, 'storage' | 'clock'> {
  readonly servers: Servers
  readonly rules: PersonRules
}

/** Makes the view of a call from its result. Failures are told in the view's place. */
export type ViewOf = (result: CallToolResult) => Promise<CallApp>

type Page = Pick<Extract<CallApp, { is: 'kept' }>, 'page' | 'domains' | 'refused'>

class NoView extends Error {}

/** Reads and keeps the pages of views. A page is read once a connection, while the first allowed call of a tool that names it runs. */
export class AppPages {
  readonly #parts: AppPagesParts
  readonly #last: KeptRecords<'app-page'>
  readonly #read = new WeakMap<Client, Map<string, Page>>()

  constructor(parts: AppPagesParts) {
    this.#parts = parts
    this.#last = new KeptRecords(parts.storage.records, 'app-page')
  }

  load(): Promise<void> {
    return this.#last.load()
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    for (const key of this.#last.keys()) if (key.startsWith(`${serverId}\n`)) await this.#last.remove(key)
  }

  /** Undefined for a tool without a view, or where the person turned views off. `signal` ends the reading. */
  begin({ serverId, launchIdentity, tool }: AvailableTool, signal: AbortSignal): ViewOf | undefined {
    const uri = appOf(tool)?.resourceUri
    if (uri === undefined || !this.#parts.servers.configured.find(serverId)?.record.options.apps) return undefined
    const over = new AbortController()
    const reading = this.#page(serverId, uri, AbortSignal.any([signal, over.signal]))
    // Told once the call has ended.
    reading.catch(() => {})
    return async (result) => {
      using limit = timeLimit(this.#parts.clock, PAGE_WAIT, () => new NoView('its server did not send the page in time'))
      limit.signal.addEventListener('abort', () => over.abort(limit.signal.reason), { once: true })
      try {
        const page = await reading
        const changed = await this.#isChanged(`${serverId}\n${tool.name}`, page.page.blob)
        const kept = await this.#keptResult(result)
        return { is: 'kept', uri: cut(uri, 512), ...page, result: kept, launch: launchIdentity, ...(changed && { changed }) }
      } catch (error) {
        const late = limit.signal.aborted ? limit.signal.reason : error
        const told = late instanceof NoView ? late.message : (asHostError(late)?.message ?? 'it could not be kept')
        return { is: 'missing', why: cut(told, 300) }
      }
    }
  }

  async #keptResult(result: CallToolResult) {
    const json = Buffer.from(canonicalJson({ ...result, warnings: undefined }))
    if (json.length > RESULT_LIMIT) throw new NoView('its result is larger than 4 MiB')
    return this.#parts.storage.blobs.put(json, 'application/json')
  }

  /** True if the page differs from the last one of the tool, also from before a restart (APP-25). */
  async #isChanged(key: string, page: string): Promise<boolean> {
    const before = this.#last.get(key)?.page
    if (before !== page) await this.#last.put(key, { page })
    return before !== undefined && before !== page
  }

  async #page(serverId: ServerId, uri: string, signal: AbortSignal): Promise<Page> {
    if (!/^ui:\/\/[^\s]+$/.test(uri) || uri.length > 2048) throw new NoView('its address is no ui:// address')
    await refuseDenied(this.#parts.rules, serverId, 'resources/read', { uri })
    return this.#parts.servers.calls.forPerson(serverId, { tool: uri, is: 'read', signal }, async (client, how) => {
      const known = this.#read.get(client) ?? new Map<string, Page>()
      this.#read.set(client, known)
      const before = known.get(uri)
      if (before && (await this.#parts.storage.blobs.has(before.page.blob))) return before
      const page = await this.#kept(uri, (await client.readResource(uri, how)).contents)
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= MAX_PAGES) known.delete(oldest)
      known.set(uri, page)
      return page
    })
  }

  async #kept(uri: string, contents: readonly ResourceContents[]): Promise<Page> {
    const [one, ...more] = contents.filter((content) => content.uri === uri)
    if (!one || more.length > 0) throw new NoView('its server did not send exactly one page')
    if (one.mimeType?.replace(/\s/g, '').toLowerCase() !== APP_MIME) throw new NoView('what its server sent is no page of a view')
    const html = bytesOf(one)
    if (html.length > APP_PAGE_LIMIT) throw new NoView('its page is larger than 4 MiB')
    const ui = one._meta?.ui
    const { domains, refused } = readDomains(isObject(ui) ? ui.csp : undefined)
    const page = await this.#parts.storage.blobs.put(html, 'text/html')
    return { page, domains, ...(refused.length > 0 && { refused: [...refused] }) }
  }
}

const bytesOf = (content: ResourceContents): Buffer =>
  'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64')
