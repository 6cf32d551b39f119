import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { orAborted } from '../../src-shared/base/or-aborted.ts'
import type { Resource } from '../../src-shared/mcp/content.ts'
import type { Prompt, ResourceTemplate, ServerCapabilities, Tool } from '../../src-shared/mcp/primitives.ts'
import { type MirroredArgument, mirrorsOf } from '../protocol/mirrored-arguments.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import type { Border } from '../protocol/shapes/border.ts'
import { listedTool, prompt, resource, resourceTemplate } from '../protocol/shapes/definition-shapes.ts'
import { ErrorCode, ProtocolError, RequestError } from '../protocol/shapes/json-rpc.ts'
import type { Limits } from '../protocol/shapes/limits.ts'
import type { ListedPage } from '../protocol/shapes/result-shapes.ts'
import type { Traits } from '../protocol/shapes/version-traits.ts'
import { DistinctEntries } from './distinct-entries.ts'
import { Freshness } from './freshness.ts'
import { readPages } from './paging.ts'

export interface CatalogTool {
  readonly tool: Tool
  /** The reason why it cannot be called, for the person. */
  readonly unusable?: string
  /** Arguments that are also sent as headers, over HTTP. */
  readonly mirrored?: readonly MirroredArgument[]
}

export interface CatalogValue {
  readonly version: number
  readonly tools: readonly CatalogTool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** For the person: lists that could not be read or were cut, and entries left out. */
  readonly problems: readonly string[]
}

type Noun = 'tools' | 'resources' | 'templates' | 'prompts'
type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'

const LISTS = {
  tools: { method: 'tools/list', needs: 'tools', word: 'tools' },
  resources: { method: 'resources/list', needs: 'resources', word: 'resources' },
  templates: { method: 'resources/templates/list', needs: 'resources', word: 'resource templates' },
  prompts: { method: 'prompts/list', needs: 'prompts', word: 'prompts' },
} as const satisfies Record<Noun, { method: ListMethod; needs: keyof ServerCapabilities; word: string }>

const NOUNS = ['tools', 'resources', 'templates', 'prompts'] as const
/** Milliseconds between a change and the reload, so that a burst of changes costs one. */
const SETTLE = 50
/** The longest interval, for a server whose list changes with every reload. */
const MAX_SETTLE = 30_000
/** Below this interval in milliseconds, a list that is needed does not wait for its reload. */
const MAX_UNSETTLED = 1000
/** The most restarts of a reload because the list changed meanwhile; then the last one counts (PAGE-10). */
const MAX_RESTARTS = 3
const MAX_PROBLEMS = 50

interface CatalogSource {
  readonly capabilities: () => ServerCapabilities
  /** True if the server announces changes of the list, in the modern era. */
  readonly covers?: (noun: keyof ServerCapabilities) => boolean
  /** Lists whose changes the server declared but does not announce. */
  readonly unannounced?: () => readonly string[]
  readonly traits: Traits
  readonly limits: Limits
  readonly clock: Clock
  /** True over HTTP, where tools may ask for arguments as headers (V26-HTTP-16). */
  readonly mirrors: boolean
  /** Ends with the connection. */
  readonly signal: AbortSignal
  readonly onRemark: (text: string) => void
  list(method: ListMethod, cursor: string | undefined, signal: AbortSignal): Promise<ListedPage>
}

/** The server's lists as one immutable value that is kept up to date. A list that cannot be read keeps its last good state. */
export class Catalog {
  readonly onChange = new Emitter<void>()
  readonly #source: CatalogSource
  readonly #lists: { [N in Noun]: ListState<CatalogValue[N][number]> }
  readonly #collectors: { [N in Noun]: (border: Border) => DistinctEntries<CatalogValue[N][number]> } = {
    tools: (border) => {
      const judge = (value: unknown, path: string) => {
        const entry = listedTool(value, path, border)
        return this.#source.mirrors ? this.#mirroring(entry) : entry
      }
      return new DistinctEntries('tool', judge, border, ({ tool }) => tool.name)
    },
    resources: (border) => new DistinctEntries('resource', resource, border, ({ uri }) => uri),
    templates: (border) => new DistinctEntries('resource template', resourceTemplate, border, ({ uriTemplate }) => uriTemplate),
    prompts: (border) => new DistinctEntries('prompt', prompt, border, ({ name }) => name),
  }
  #shownUnannounced = ''
  #value: CatalogValue = { version: 0, tools: [], resources: [], templates: [], prompts: [], problems: [] }

  constructor(source: CatalogSource) {
    this.#source = source
    const { clock } = source
    this.#lists = {
      tools: new ListState(clock),
      resources: new ListState(clock),
      templates: new ListState(clock),
      prompts: new ListState(clock),
    }
    source.signal.addEventListener(
      'abort',
      () => {
        for (const noun of NOUNS) this.#lists[noun].cancelTimer?.()
      },
      { once: true },
    )
  }

  get value(): CatalogValue {
    return this.#value
  }

  /** False while a declared list could not be read. */
  get whole(): boolean {
    return NOUNS.every((noun) => !this.#declared(noun) || this.#lists[noun].isRead)
  }

  tool(name: string): CatalogTool | undefined {
    return this.#lists.tools.byKey.get(name)
  }

  /**
   * Loads every declared list. Rejects only when the connection ends, or the signal aborts the wait; the load continues then, since
   * others may wait for it.
   */
  async load(signal: AbortSignal): Promise<void> {
    const reading = Promise.all(NOUNS.filter((noun) => this.#declared(noun)).map((noun) => this.#read(noun)))
    await orAborted(reading, signal)
  }

  refresh(): Promise<void> {
    return this.load(this.#source.signal)
  }

  /** Loads the tools again, after any load that has already begun. */
  async rereadTools(): Promise<void> {
    await this.#lists.tools.reading
    await this.#read('tools')
  }

  /** Reloads stale lists whose changes are not announced, before a use (V26-CACHE-1, V26-CACHE-11). */
  async freshen(): Promise<void> {
    if (this.#source.traits.session) return
    await Promise.all(NOUNS.filter((noun) => this.#declared(noun)).map((noun) => this.#freshen(noun)))
  }

  /** Drops all lists and loads them again, after a change of account (V26-CACHE-7). */
  forget(): Promise<void> {
    for (const noun of NOUNS) this.#empty(noun)
    this.#publish()
    this.changed(NOUNS.filter((noun) => this.#lists[noun].reading))
    return this.refresh()
  }

  /** Loads newly declared lists, empties the others, and reports a change, since the introduction is shown with the lists. */
  introductionChanged(): void {
    for (const noun of NOUNS) {
      const list = this.#lists[noun]
      if (!this.#declared(noun)) this.#empty(noun)
      else if (list.lastRead === Number.NEGATIVE_INFINITY) this.changed([noun])
    }
    this.#publish()
  }

  coverageChanged(): void {
    if (this.#unannounced().join() !== this.#shownUnannounced) this.#publish()
  }

  /** Reloads changed lists soon, once for a burst, even if changes were never declared (LIFE-20). */
  changed(nouns: readonly Noun[]): void {
    for (const noun of nouns) {
      const list = this.#lists[noun]
      list.changes++
      if (!this.#declared(noun) || list.cancelTimer || list.reading || this.#source.signal.aborted) continue
      this.#schedule(noun)
    }
  }

  #declared(noun: Noun): boolean {
    return this.#source.capabilities()[LISTS[noun].needs] !== undefined
  }

  async #freshen(noun: Noun): Promise<void> {
    const list = this.#lists[noun]
    const changed = list.cancelTimer !== undefined && list.settle <= MAX_UNSETTLED
    const announced = list.readWhileAnnounced && this.#source.covers?.(LISTS[noun].needs)
    if (list.reading || changed || (!announced && list.fresh.due)) await this.#read(noun)
  }

  #empty(noun: Noun): void {
    const list = this.#lists[noun]
    list.byKey = new Map()
    list.problems = []
    list.isRead = false
    list.lastRead = Number.NEGATIVE_INFINITY
  }

  #unannounced(): readonly string[] {
    return (this.#source.unannounced?.() ?? []).map((noun) => `No updates for ${noun}; refreshed when needed.`)
  }

  #schedule(noun: Noun): void {
    const list = this.#lists[noun]
    const { clock } = this.#source
    const quiet = clock.now() - list.lastRead > 2 * list.settle
    list.settle = quiet ? SETTLE : Math.min(MAX_SETTLE, list.settle * 2)
    list.cancelTimer = clock.after(list.settle, () => {
      list.cancelTimer = undefined
      // A failure is in `problems`; the end of the connection needs no report.
      void this.#read(noun).catch(() => {})
    })
  }

  /** One load of a list at a time; callers share it. */
  #read(noun: Noun): Promise<void> {
    const list = this.#lists[noun]
    list.cancelTimer?.()
    list.cancelTimer = undefined
    list.reading ??= this.#readList(noun).finally(() => {
      list.reading = undefined
      list.lastRead = this.#source.clock.now()
      if (list.changes !== list.readAt && !this.#source.signal.aborted) this.#schedule(noun)
    })
    return list.reading
  }

  async #readList<N extends Noun>(noun: N): Promise<void> {
    const { limits, list: fetchPage, traits, signal } = this.#source
    const { method, word } = LISTS[noun]
    const list = this.#lists[noun]
    try {
      for (let restarts = 0; ; restarts++) {
        list.readAt = list.changes
        const stale = () => restarts < MAX_RESTARTS && list.changes !== list.readAt
        const border: Border = { traits, limits, warnings: [] }
        // The list is as fresh as its oldest page (V26-CACHE-9).
        let until = Number.POSITIVE_INFINITY
        const fetch = async (cursor: string | undefined) => {
          const page = await fetchPage(method, cursor, signal)
          if (page.ttl !== undefined) until = Math.min(until, list.fresh.ends(page.ttl))
          return page
        }
        const listing = await readPages(fetch, limits, stale, () => this.#collectors[noun](border))
        if (!listing) continue
        list.fresh.read(until)
        list.readWhileAnnounced = this.#source.covers?.(LISTS[noun].needs) ?? false
        const { taken, cut } = listing
        list.byKey = taken.byKey
        list.isRead = true
        list.problems = cut === undefined ? taken.problems : [`The list of ${word} is cut: ${cut}.`, ...taken.problems]
        this.#publish()
        return
      }
    } catch (error) {
      list.fresh.read(undefined)
      if (signal.aborted) throw error
      if (error instanceof RequestError && (error.code === 'closed' || error.code === 'session-lost')) throw error
      // Many servers declare lists that they do not have; those are empty.
      if (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) {
        list.byKey = new Map()
        list.problems = []
        list.isRead = true
      } else {
        list.isRead = false
        list.problems = [`The list of ${word} could not be read: ${plain(error)}`]
      }
      this.#publish()
    }
  }

  /** Adds the mirrored arguments. A tool with invalid ones becomes unusable, the others stay (V26-HTTP-14). */
  #mirroring(entry: CatalogTool): CatalogTool {
    if (entry.unusable !== undefined) return entry
    const { mirrored, problem } = mirrorsOf(entry.tool.inputSchema)
    if (problem === undefined) return mirrored.length === 0 ? entry : { ...entry, mirrored }
    if (this.tool(entry.tool.name)?.unusable !== problem) {
      this.#source.onRemark(`The tool “${entry.tool.name.slice(0, 100)}” is not offered. ${problem}`)
    }
    return { ...entry, unusable: problem }
  }

  #publish(): void {
    const unannounced = this.#unannounced()
    this.#shownUnannounced = unannounced.join()
    const { tools, resources, templates, prompts } = this.#lists
    this.#value = {
      version: this.#value.version + 1,
      tools: [...tools.byKey.values()],
      resources: [...resources.byKey.values()],
      templates: [...templates.byKey.values()],
      prompts: [...prompts.byKey.values()],
      problems: [...unannounced, ...NOUNS.flatMap((noun) => this.#lists[noun].problems)].slice(0, MAX_PROBLEMS),
    }
    try {
      this.onChange.fire()
    } catch (error) {
      this.#source.onRemark(`A change to the catalog could not be handled: ${String(error)}`)
    }
  }
}

class ListState<Entry> {
  byKey: ReadonlyMap<string, Entry> = new Map()
  problems: readonly string[] = []
  /** The last load succeeded. */
  isRead = false
  /** Counts announced changes; `readAt` is the count at the beginning of the last load. */
  changes = 0
  readAt = 0
  lastRead = Number.NEGATIVE_INFINITY
  settle = SETTLE
  /** Every change since the last load was announced. */
  readWhileAnnounced = false
  reading: Promise<void> | undefined
  cancelTimer: (() => void) | undefined
  readonly fresh: Freshness

  constructor(clock: Clock) {
    this.fresh = new Freshness(clock)
  }
}

function plain(error: unknown): string {
  if (error instanceof ProtocolError) return `the server answered with error ${error.code}, “${error.message.slice(0, 300)}”.`
  if (error instanceof RequestError || error instanceof TransportError) return error.message
  return 'something unexpected happened.'
}
