import type { Clock } from '../../src-shared/base/clock.ts'
import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { type Blocked, MOST_BLOCKED, TOLD_BLOCKED } from '../../src-shared/contract/blocked.ts'
import { type AppMessage, readAppMessage } from './app-messages.ts'

/** The revision of MCP Apps that is spoken with views. */
const APPS_VERSION = '2026-01-26'
/** Milliseconds until a view must have started. */
const START_LIMIT = 15_000
/** Messages and milliseconds of the window in which they are counted. */
const MOST_MESSAGES = 200
const MOST_TEXT = 4 * 1024 * 1024
const COUNTED = 1_000
/** Pixels of a view in the conversation, and changes of its height in one window. */
const LEAST_HEIGHT = 80
const MOST_HEIGHT = 800
const DEAD_BAND = 4
const HEIGHT_CHANGES = 10
const MESSAGE_TEXT = 20_000
/** Notifications of views that change nothing here, or not at this time. */
const IGNORED = ['ui/notifications/initialized', 'ui/notifications/size-changed', 'notifications/message']
const FEATURE = /^[a-z-]{0,60}$/

const DISPLAY_MODES = ['inline', 'fullscreen', 'pip'] as const
export type DisplayMode = (typeof DISPLAY_MODES)[number]

/** Facts about the host that every view is told (APP-33). */
interface AppContext {
  readonly theme: 'light' | 'dark'
  readonly variables: Readonly<Record<string, string>>
  readonly locale: string
  readonly timeZone: string
  readonly platform: 'web' | 'desktop'
  readonly width: number
}

export interface AppParts {
  readonly clock: Clock
  readonly version: string
  readonly tool: string
  readonly arguments: unknown
  readonly result: unknown
  /** Hosts that it declared, and whether it may load from them. */
  readonly hosts: readonly string[]
  readonly network: boolean
  readonly context: () => AppContext
  readonly post: (message: object) => void
  /** Both reject with an Error for the view. */
  readonly call: (tool: string, args: JsonObject) => Promise<unknown>
  readonly read: (uri: string) => Promise<unknown>
  /** True if the person acted in the view a moment ago. */
  readonly acted: () => boolean
  readonly openLink: (url: string) => void
  /** Tells the model with the next message; both empty take it back. Rejects with an Error for the view. */
  readonly tell: (text: string, structured: JsonObject | undefined) => Promise<unknown>
  /** Puts a text before the person, unsent. */
  readonly propose: (text: string) => void
  readonly onHeight: (pixels: number) => void
  /** Returns the mode in force. */
  readonly display: (wanted: DisplayMode) => DisplayMode
  readonly onStarted: () => void
  /** Counts what was refused here, by what its card calls it. */
  readonly onBlocked: (what: Blocked['what'], name: string, times?: number) => void
  /** Ends the view, with the reason as a sentence. */
  readonly fail: (why: string) => void
}

/** A refusal that a view is told. */
class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A view that waits for what it loads from elsewhere is not told that nothing comes; the person is. */
function notStarted({ hosts, network }: Pick<AppParts, 'hosts' | 'network'>): string {
  const why = 'The view did not start within 15 seconds.'
  if (hosts.length === 0) return why
  const named = hosts.length > 2 ? `${hosts[0]} and ${hosts.length - 1} more` : hosts.join(' and ')
  return network
    ? `${why} It loads from ${named}: perhaps nothing answers there.`
    : `${why} You did not let it load from ${named}.`
}

/** Counts since a moment. */
const newWindow = (from: number) => ({ from, messages: 0, text: 0, heights: 0, links: 0, texts: 0, told: 0 })

/** One conversation with a view: its requests are checked, bounded and answered in the order in which they may come (MCP Apps 2026-01-26). */
export class AppSession {
  readonly #parts: AppParts
  #state: 'new' | 'initialized' | 'started' | 'ended' = 'new'
  #modes: readonly DisplayMode[] = ['inline']
  #window = newWindow(0)
  #height = 0
  #malformed = false
  #nextId = 1
  /** Ids of requests that the view has not answered; a few, since it is stopped then. */
  readonly #asked = new Set<string | number>()
  /** Ids of its requests that wait for an answer. */
  readonly #waiting = new Set<unknown>()
  readonly #stopLimit: () => void

  constructor(parts: AppParts) {
    this.#parts = parts
    this.#stopLimit = parts.clock.after(START_LIMIT, () => this.#end(notStarted(parts)))
  }

  get started(): boolean {
    return this.#state === 'started'
  }

  /** A message that surely came from the frame of this view. */
  hear(data: unknown): void {
    if (this.#state === 'ended') return
    const now = this.#parts.clock.now()
    if (now - this.#window.from >= COUNTED) this.#window = newWindow(now)
    this.#window.messages += 1
    if (this.#window.messages > MOST_MESSAGES) {
      this.#end('The view sent too many messages and was stopped.')
      return
    }
    const { message, size } = readAppMessage(data)
    this.#window.text += size
    if (this.#window.text > MOST_TEXT) {
      this.#end('The view sent too much and was stopped.')
      return
    }
    switch (message.is) {
      case 'response':
        if (!this.#asked.delete(message.id)) this.#parts.onBlocked('message', '')
        return
      case 'malformed':
        this.#parts.onBlocked('message', '')
        // Told once, so that a flood of wrong messages gets no flood of answers.
        if (!this.#malformed)
          this.#refuse(message.id ?? null, new Refusal(-32600, 'This is not a JSON-RPC message that a host reads.'))
        this.#malformed = true
        return
      case 'notification':
        this.#notified(message)
        return
      case 'request':
        void this.#answer(message)
    }
  }

  /** Nothing but answers goes to a view that has not started (APP-9). */
  ping(): void {
    if (this.started) this.#request('ping', {})
  }

  contextChanged(changed: JsonObject): void {
    if (this.started) this.#notify('ui/notifications/host-context-changed', changed)
  }

  /** Tells the view that it goes away. */
  end(reason: string): void {
    if (this.started) this.#request('ui/resource-teardown', { reason })
    this.#state = 'ended'
    this.#stopLimit()
  }

  #end(why: string): void {
    this.#state = 'ended'
    this.#stopLimit()
    this.#parts.fail(why)
  }

  #request(method: string, params: JsonObject): void {
    const id = `parley-${this.#nextId++}`
    this.#asked.add(id)
    this.#parts.post({ jsonrpc: '2.0', id, method, params })
  }

  #notify(method: string, params: unknown): void {
    this.#parts.post({ jsonrpc: '2.0', method, params })
  }

  #refuse(id: string | number | null, { code, message }: Refusal): void {
    this.#parts.post({ jsonrpc: '2.0', id, error: { code, message } })
  }

  async #answer({ id, method, params }: Extract<AppMessage, { is: 'request' }>): Promise<void> {
    this.#waiting.add(id)
    try {
      const result = await this.#result(method, params)
      if (this.#isAwaited(id)) this.#parts.post({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!this.#isAwaited(id)) return
      if (error instanceof Refusal) this.#parts.onBlocked(...blockedIn(method, error))
      const refusal =
        error instanceof Refusal ? error : new Refusal(-32000, error instanceof Error ? error.message : 'It failed.')
      this.#refuse(id, refusal)
    }
  }

  /** Call once for each request. A request that the view cancelled gets no answer. */
  #isAwaited(id: string | number): boolean {
    return this.#waiting.delete(id) && this.#state !== 'ended'
  }

  #result(method: string, params: JsonObject): unknown {
    if (method === 'ui/initialize') return this.#initialize(params)
    if (this.#state === 'new') throw new Refusal(-32600, 'Send ui/initialize first.')
    switch (method) {
      case 'ping':
        return {}
      case 'tools/call': {
        const { name, arguments: args = {} } = params
        if (typeof name !== 'string' || name === '' || !isObject(args))
          throw new Refusal(-32602, 'A tool has a name and arguments.')
        return this.#parts.call(name, args as JsonObject)
      }
      case 'resources/read': {
        if (typeof params.uri !== 'string' || params.uri === '') throw new Refusal(-32602, 'A resource has a uri.')
        return this.#parts.read(params.uri)
      }
      case 'ui/open-link':
        return this.#openLink(params.url)
      case 'ui/message':
        return this.#propose(params.content)
      case 'ui/update-model-context':
        return this.#tell(params)
      case 'ui/request-display-mode': {
        const { mode } = params
        const wanted = this.#modes.find((one) => one === mode) ?? 'inline'
        // Larger than its place in the conversation only for the person's act.
        if (wanted !== 'inline' && !this.#parts.acted()) throw new Refusal(-32000, 'Only after a click in the view.')
        return { mode: this.#parts.display(wanted) }
      }
      default:
        throw new Refusal(-32601, 'This host does not have this method.')
    }
  }

  #initialize(params: JsonObject): unknown {
    if (this.#state !== 'new') throw new Refusal(-32600, 'The view is initialized already.')
    this.#state = 'initialized'
    const declared = isObject(params.appCapabilities) ? params.appCapabilities.availableDisplayModes : undefined
    const declares = (mode: DisplayMode) => mode === 'inline' || !Array.isArray(declared) || declared.includes(mode)
    this.#modes = DISPLAY_MODES.filter(declares)
    const { version, context, tool } = this.#parts
    const { theme, variables, locale, timeZone, platform, width } = context()
    return {
      protocolVersion: APPS_VERSION,
      hostInfo: { name: 'Parley', version },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
        sandbox: { permissions: {} },
      },
      hostContext: {
        toolInfo: { tool: { name: tool, inputSchema: { type: 'object' } } },
        theme,
        styles: { variables },
        locale,
        timeZone,
        platform,
        displayMode: 'inline',
        availableDisplayModes: DISPLAY_MODES,
        containerDimensions: { maxHeight: MOST_HEIGHT, width },
      },
    }
  }

  #notified({ method, params }: Extract<AppMessage, { is: 'notification' }>): void {
    if (method === 'ui/notifications/initialized' && this.#state === 'initialized') {
      this.#state = 'started'
      this.#stopLimit()
      this.#parts.onStarted()
      this.#notify('ui/notifications/tool-input', { arguments: this.#parts.arguments })
      this.#notify('ui/notifications/tool-result', this.#parts.result)
    } else if (method === 'ui/notifications/size-changed' && this.#state !== 'new') this.#resize(params.height)
    else if (method === 'parley/blocked') this.#told(params.blocked)
    else if (method === 'notifications/cancelled') this.#waiting.delete(params.requestId)
    else if (method === 'parley/escape') this.#parts.display('inline')
    else if (!IGNORED.includes(method)) this.#parts.onBlocked('method', method)
  }

  /** Refusals that its page reports of itself (src-main/host/apps/view-watch.ts). A page that invents some accuses nobody else. */
  #told(list: unknown): void {
    for (const one of Array.isArray(list) ? list.slice(0, MOST_BLOCKED) : []) {
      if (!isObject(one)) continue
      const what = TOLD_BLOCKED.find((known) => known === one.what)
      const { name, times } = one
      if (what && typeof name === 'string' && FEATURE.test(name) && Number.isSafeInteger(times) && Number(times) > 0)
        this.#parts.onBlocked(what, name, Number(times))
    }
  }

  /** The width is ours. Pages as high as their frame would grow for ever without the dead band. */
  #resize(height: unknown): void {
    if (typeof height !== 'number' || !(height >= 0)) return
    const pixels = Math.round(Math.min(Math.max(height, LEAST_HEIGHT), MOST_HEIGHT))
    this.#window.heights += 1
    if (this.#window.heights > HEIGHT_CHANGES || Math.abs(pixels - this.#height) <= DEAD_BAND) return
    this.#height = pixels
    this.#parts.onHeight(pixels)
  }

  #openLink(url: unknown): unknown {
    const address = typeof url === 'string' && url.length <= 2048 ? URL.parse(url) : undefined
    if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:'))
      throw new Refusal(-32602, 'Only http and https links open.')
    this.#checkActed('links', 'A link opens only after a click in the view.')
    this.#parts.openLink(address.href)
    return {}
  }

  async #tell({ content = [], structuredContent }: JsonObject): Promise<unknown> {
    const text = textOf(content)
    if (structuredContent !== undefined && !isObject(structuredContent))
      throw new Refusal(-32602, 'Structured content is an object.')
    this.#window.told += 1
    if (this.#window.told > 1) throw new Refusal(-32000, 'Only one a second.')
    await this.#parts.tell(text, structuredContent as JsonObject | undefined)
    return {}
  }

  #propose(content: unknown): unknown {
    const text = textOf(content)
    if (text === '') throw new Refusal(-32602, 'A message has a text.')
    if (text.length > MESSAGE_TEXT) throw new Refusal(-32602, 'The text is too long for a message.')
    this.#checkActed('texts', 'A message is taken only after a click in the view.')
    this.#parts.propose(text)
    return {}
  }

  /** A click lets a view put one link and one text a second before the person, or a single click would fill their message. */
  #checkActed(kind: 'links' | 'texts', otherwise: string): void {
    if (!this.#parts.acted()) throw new Refusal(-32000, otherwise)
    this.#window[kind] += 1
    if (this.#window[kind] > 1) throw new Refusal(-32000, 'Only one a second.')
  }
}

const WANTED = new Map<string, Blocked['what']>([
  ['ui/open-link', 'link'],
  ['ui/message', 'text'],
  ['ui/update-model-context', 'text'],
  ['ui/request-display-mode', 'size'],
])

function blockedIn(method: string, { code }: Refusal): [Blocked['what'], string] {
  const wanted = WANTED.get(method)
  if (wanted) return [wanted, '']
  return code === -32602 ? ['message', ''] : ['method', method]
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  )
  if (texts.length < blocks.length) throw new Refusal(-32602, 'Only text is taken.')
  return texts.join('\n')
}
