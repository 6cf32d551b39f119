import { createHash, randomBytes } from 'node:crypto'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import { jsonIn, parseJson } from '../../../src-shared/base/parse-json.ts'
import {
  APP_CONTEXT_LIMIT,
  APP_MESSAGE_LIMIT,
  type AppDomains,
  type AppNetworkAsked,
  type OpenedApp,
} from '../../../src-shared/contract/apps.ts'
import { type Blocked, countBlocked } from '../../../src-shared/contract/blocked.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { AttachmentId, ConversationId, ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { CallToolResult } from '../../../src-shared/mcp/content.ts'
import { type AppOrigin, DENIED_BEFORE } from '../consent/round-permission.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { type PersonRules, refuseDenied } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { appPolicy, hostsOf } from './app-domains.ts'
import { watchedPage } from './view-watch.ts'

/** Open views of all windows; the oldest closes for one more. */
const MAX_VIEWS = 24
/** Calls of one view that may wait, and calls in a minute (APP-17). */
const MAX_WAITING = 4
const MAX_A_MINUTE = 30
/** Milliseconds for which a browser takes the click that denied for an act in the view. */
const ACT_PAUSE = 5_000

/** The part of conversations that views use; conversations are built on views. */
export interface AppConversations {
  /** The stored record of a call. Throws HostError `not-found`. */
  call(conversationId: ConversationId, toolCallId: ToolCallId): Promise<ToolCall>
  argumentsOf(call: ToolCall): Promise<JsonObject>
  /** Attaches what a view tells to the next message, in place of `before`; nothing for no texts. Throws HostError. */
  tell(
    conversationId: ConversationId,
    told: { of: ToolCall; uri: string; texts: readonly { text: string; mimeType?: string }[] },
    before: AttachmentId | undefined,
  ): Promise<AttachmentId | undefined>
  makeCall(
    conversationId: ConversationId,
    call: { of: ToolCall; tool: string; arguments: JsonObject; origin: AppOrigin; signal: AbortSignal },
  ): Promise<{ readonly result: CallToolResult } | { readonly refused: string }>
}

interface AppViewsParts extends Pick<HostCore, 'storage' | 'clock' | 'topics'> {
  readonly servers: Servers
  readonly rules: PersonRules
  readonly conversations: AppConversations
}

interface View extends AppOrigin {
  readonly id: string
  readonly conversationId: ConversationId
  readonly call: ToolCall
  readonly serverId: ServerId
  readonly launch?: string
  readonly page: string
  /** Undefined without network. */
  readonly domains: AppDomains | undefined
  blocked: readonly Blocked[]
  readonly closed: AbortController
  /** The address was used. */
  served: boolean
  waiting: number
  readonly uri: string
  /** The last text that it told the model, for the next message. */
  told: Promise<AttachmentId | undefined>
  /** Times of its last calls. */
  calls: readonly number[]
}

/** The open views: their pages, and their requests to their own servers. Every request of a view is decided here, never in the page. */
export class AppViews {
  readonly #parts: AppViewsParts
  readonly #views = new Map<string, View>()
  readonly #networks: KeptRecords<'app-network'>

  constructor(parts: AppViewsParts) {
    this.#parts = parts
    this.#networks = new KeptRecords(parts.storage.records, 'app-network')
    parts.servers.needs.push((serverId) => [...this.#views.values()].some((open) => open.serverId === serverId))
    parts.topics.serve('app', async (view) => {
      const open = this.#views.get(view)
      return open && (() => ({ kind: 'app', blocked: open.blocked }))
    })
  }

  load(): Promise<void> {
    return this.#networks.load()
  }

  /**
   * Opens the view of a finished call. A view that loads from elsewhere opens once the person has said whether it may; `network` is that
   * answer, kept for this server and these hosts (APP-24). Throws HostError.
   */
  async open(conversationId: ConversationId, toolCallId: ToolCallId, network?: boolean): Promise<OpenedApp | AppNetworkAsked> {
    const { conversations, storage } = this.#parts
    const call = await conversations.call(conversationId, toolCallId)
    const { app, serverId } = call
    if (app?.is !== 'kept' || serverId === undefined || call.imported) throw new HostError('not-found', 'This call has no view.')
    const hosts = hostsOf(app.domains)
    const may = hosts.length > 0 && !this.#isOffline(serverId) && (await this.#mayLoad(serverId, hosts, network))
    if (may === undefined) return { is: 'asks', hosts }
    // Also a name of a host: one label without capitals.
    const id = randomBytes(24).toString('hex')
    const result = parseJson(Buffer.from(await storage.blobs.read(app.result.blob)).toString('utf8'))
    const [oldest] = this.#views.keys()
    if (oldest !== undefined && this.#views.size >= MAX_VIEWS) this.close(oldest)
    this.#views.set(id, {
      id,
      conversationId,
      call,
      serverId,
      page: app.page.blob,
      domains: may ? app.domains : undefined,
      ...(app.launch !== undefined && { launch: app.launch }),
      allowed: new Set(),
      questions: new InTurn(),
      blocked: [],
      closed: new AbortController(),
      uri: app.uri,
      told: Promise.resolve(undefined),
      served: false,
      waiting: 0,
      calls: [],
    })
    return {
      is: 'opened',
      view: id,
      path: `/app/${id}`,
      tool: call.tool,
      arguments: await conversations.argumentsOf(call),
      result,
      hosts,
      network: may,
      server: this.#serverOf({ serverId, launch: app.launch }),
    }
  }

  close(view: string): void {
    const open = this.#views.get(view)
    if (!open) return
    open.closed.abort(new HostError('refused', 'The view was closed.'))
    this.#views.delete(view)
    // Its text for the model goes with it, unless it was sent or the person removed it.
    void this.#tell(open, []).catch(() => {})
    this.#parts.topics.gone(`app/${view}`)
  }

  /** The page of a view with its policy, once; undefined for any other address. */
  async page(view: string): Promise<{ readonly bytes: Uint8Array; readonly policy: string } | undefined> {
    const open = this.#views.get(view)
    if (!open || open.served) return undefined
    open.served = true
    const bytes = await this.#parts.storage.blobs.read(open.page)
    return { bytes: watchedPage(bytes), policy: appPolicy(open.domains, `/app/${view}/blocked`) }
  }

  /** Notes an address that the policy blocked, from the report of the browser. */
  report(view: string, body: string): void {
    const open = this.#views.get(view)
    const report = jsonIn(body)
    const said = isObject(report) && isObject(report['csp-report']) ? report['csp-report']['blocked-uri'] : undefined
    if (!open || typeof said !== 'string') return
    const host = URL.parse(said)?.host || said
    this.#block(open, 'address', host.startsWith(`${view}.`) ? 'its own page' : host)
  }

  #block(open: View, what: Blocked['what'], name: string): void {
    const blocked = { what, name: cut(name, 200) }
    const list = countBlocked(open.blocked, blocked)
    if (list === open.blocked) return
    open.blocked = list
    this.#parts.topics.emit(`app/${open.id}`, { type: 'view.blocked', blocked })
  }

  /** The refusal of a request of a view, which its card names. */
  #refuse(open: View, what: 'call' | 'resource', name: string, why: string): HostError {
    this.#block(open, what, name)
    return new HostError('refused', why)
  }

  /**
   * A view's call of a tool of its own server (APP-2), which the person is asked about. `acted`: they acted inside the view a
   * moment ago. Throws HostError `refused` for a call that is not made.
   */
  async call(view: string, tool: string, args: JsonObject, acted: boolean, signal: AbortSignal): Promise<CallToolResult> {
    const open = this.#open(view)
    this.#checkLive(open)
    const found = this.#parts.servers.tools.find(open.serverId, tool, 'app')
    const refuse = (why: string) => this.#refuse(open, 'call', tool, why)
    if (!found || found.hidden) throw refuse(`Its server has no tool “${cut(tool, 80)}” for views.`)
    const now = this.#parts.clock.now()
    if (acted && open.deniedAt !== undefined && now - open.deniedAt > ACT_PAUSE) open.deniedAt = undefined
    if (open.deniedAt !== undefined) throw refuse(DENIED_BEFORE.what)
    open.calls = open.calls.filter((at) => at > now - 60_000)
    if (open.waiting >= MAX_WAITING) throw refuse(`${MAX_WAITING} calls of this view are waiting already.`)
    if (open.calls.length >= MAX_A_MINUTE) throw refuse('This view calls too often.')
    open.calls = [...open.calls, now]
    open.waiting += 1
    try {
      const made = await this.#parts.conversations.makeCall(open.conversationId, {
        of: open.call,
        tool,
        arguments: args,
        origin: open,
        signal: AbortSignal.any([signal, open.closed.signal]),
      })
      if ('result' in made) return bounded(made.result)
      throw new HostError('refused', made.refused)
    } finally {
      open.waiting -= 1
    }
  }

  /**
   * Tells the model something with the person's next message, where they see it and can remove it (APP-22). The last one counts; an empty
   * one takes it back. Throws HostError `refused`.
   */
  async tell(view: string, text: string, structured: JsonObject | undefined): Promise<void> {
    const json = structured === undefined ? '' : JSON.stringify(structured, null, 2)
    if (Buffer.byteLength(text) + Buffer.byteLength(json) > APP_CONTEXT_LIMIT)
      throw new HostError('refused', 'A view may tell the model 16 KiB at most.')
    await this.#tell(this.#open(view), [
      ...(text === '' ? [] : [{ text, mimeType: 'text/plain' }]),
      ...(json === '' ? [] : [{ text: json, mimeType: 'application/json' }]),
    ])
  }

  /** One after another: each takes the place of the one before. */
  #tell(open: View, texts: readonly { text: string; mimeType: string }[]): Promise<unknown> {
    const { conversationId, call, uri, told } = open
    const next = told.then((before) =>
      before === undefined && texts.length === 0
        ? undefined
        : this.#parts.conversations.tell(conversationId, { of: call, uri, texts }, before),
    )
    open.told = next.catch(() => told)
    return next
  }

  /** Reads a `ui://` resource of the view's own server for it (APP-19). Other addresses are refused: they are the person's to share. */
  async read(view: string, uri: string, signal: AbortSignal): Promise<unknown> {
    const open = this.#open(view)
    this.#checkLive(open)
    if (!/^ui:\/\/[^\s]+$/.test(uri) || uri.length > 2048)
      throw this.#refuse(open, 'resource', uri, 'A view may read ui:// resources of its own server only.')
    await refuseDenied(this.#parts.rules, open.serverId, 'resources/read', { uri })
    const both = AbortSignal.any([signal, open.closed.signal])
    const { contents } = await this.#parts.servers.calls.forPerson(
      open.serverId,
      { tool: uri, is: 'read', signal: both },
      (client, how) => client.readResource(uri, how),
    )
    return bounded({ contents })
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    for (const key of this.#networks.keys()) if (key.startsWith(`${serverId}\n`)) await this.#networks.remove(key)
  }

  async #mayLoad(serverId: ServerId, hosts: readonly string[], answer: boolean | undefined): Promise<boolean | undefined> {
    const key = `${serverId}\n${createHash('sha256')
      .update([...hosts].sort().join('\n'))
      .digest('hex')}`
    if (answer === undefined) return this.#networks.get(key)?.allowed
    await this.#networks.put(key, { allowed: answer })
    return answer
  }

  #open(view: string): View {
    const open = this.#views.get(view)
    if (!open) throw new HostError('not-found', 'This view was closed. Open it again.')
    return open
  }

  #serverOf({ serverId, launch }: { readonly serverId: ServerId; readonly launch?: string | undefined }): OpenedApp['server'] {
    const record = this.#parts.servers.configured.find(serverId)?.record
    if ((record?.state.is !== 'ready' && record?.state.is !== 'idle') || !record.options.apps) return 'away'
    return record.launchIdentity === launch ? 'connected' : 'another'
  }

  #checkLive(view: View): void {
    const server = this.#serverOf(view)
    if (server === 'away') throw new HostError('unavailable', 'The server of this view is not connected.')
    if (server === 'another') throw new HostError('unavailable', 'The server of this view was replaced.')
    if (view.domains && this.#isOffline(view.serverId))
      throw new HostError('unavailable', 'The server of this view has no network now. Open the view again.')
  }

  /** A view would be the network of a server that has none. */
  #isOffline(serverId: ServerId): boolean {
    return this.#parts.servers.configured.find(serverId)?.startsOffline === true
  }
}

function bounded<T>(answer: T): T {
  if (JSON.stringify(answer).length > 4 * APP_MESSAGE_LIMIT) throw new HostError('refused', 'The answer is too large for a view.')
  return answer
}
