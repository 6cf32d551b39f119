import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { orAborted } from '../../src-shared/base/or-aborted.ts'
import type { Prompt, Resource, ResourceTemplate, ServerCapabilities, Tool } from '../../src-shared/mcp/primitives.ts'
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
  /** Why it cannot be called, in plain words. */
  readonly unusable?: string
  /** Arguments that travel as headers, too; only over a transport that has them. */
  readonly mirrored?: readonly MirroredArgument[]
}

export interface CatalogValue {
  /** Rises with every change. */
  readonly version: number
  readonly tools: readonly CatalogTool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** Lists that could not be read or were cut, and entries that were left out, in plain words. */
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
/** Milliseconds between a change and reading the list, so that a burst of changes costs one reading. */
const SETTLE = 50
/** A server whose list changes with every reading is read ever more rarely, up to this many milliseconds apart. */
const MAX_SETTLE = 30_000
/** Up to this many milliseconds apart, a need does not wait for the list to settle. */
const SUSPECT = 1000
/** How often a reading starts over because the list changed meanwhile; after that the last one counts (PAGE-10). */
const MAX_RESTARTS = 3
const MAX_PROBLEMS = 50

interface CatalogSource {
  readonly capabilities: () => ServerCapabilities
  /** True if the server announces changes of the list now, where it says so of each. */
  readonly covers?: (noun: keyof ServerCapabilities) => boolean
  /** Lists of which it was to tell, and does not. */
  readonly untold?: () => readonly string[]
  readonly traits: Traits
  readonly limits: Limits
  readonly clock: Clock
  /** Arguments travel as headers where a tool says so; other transports leave what it says alone (V26-HTTP-16). */
  readonly mirrors: boolean
  /** Ends with the connection. */
  readonly signal: AbortSignal
  readonly onRemark: (text: string) => void
  list(method: ListMethod, cursor: string | undefined, signal: AbortSignal): Promise<ListedPage>
}

/** The server's lists: one immutable value, kept fresh; a list that cannot be read keeps its last good state. */
export class Catalog {
  readonly onChange = new Emitter<void>()
  readonly #source: CatalogSource
  readonly #lists: { [N in Noun]: ListState<CatalogValue[N][number]> }
  readonly #collectors: { [N in Noun]: (border: Border) => DistinctEntries<CatalogValue[N][number]> } = {
    tools: (border) => {
      const byTask = this.#runsTasks()
      const judge = (value: unknown, path: string) => {
        const entry = taskOnly(listedTool(value, path, border), byTask)
        return this.#source.mirrors ? this.#mirroring(entry) : entry
      }
      return new DistinctEntries('tool', judge, border, ({ tool }) => tool.name)
    },
    resources: (border) => new DistinctEntries('resource', resource, border, ({ uri }) => uri),
    templates: (border) => new DistinctEntries('resource template', resourceTemplate, border, ({ uriTemplate }) => uriTemplate),
    prompts: (border) => new DistinctEntries('prompt', prompt, border, ({ name }) => name),
  }
  #shownUntold = ''
  #value: CatalogValue = { version: 0, tools: [], resources: [], templates: [], prompts: [], problems: [] }

  constructor(source: CatalogSource) {
    this.#source = source
    const { clock } = source
    this.#lists = {
      tools: emptyList(clock),
      resources: emptyList(clock),
      templates: emptyList(clock),
      prompts: emptyList(clock),
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

  tool(name: string): CatalogTool | undefined {
    return this.#lists.tools.byKey.get(name)
  }

  /**
   * Reads every list that the server declared. Rejects only when the connection is over, or when the signal ends the waiting;
   * the reading goes on then, because others may wait for it, too.
   */
  async load(signal: AbortSignal): Promise<void> {
    const reading = Promise.all(NOUNS.filter((noun) => this.#declared(noun)).map((noun) => this.#read(noun)))
    await orAborted(reading, signal)
  }

  refresh(): Promise<void> {
    return this.load(this.#source.signal)
  }

  /** Reads the tools again, and not with a reading that began before. */
  async rereadTools(): Promise<void> {
    await this.#lists.tools.reading
    await this.#read('tools')
  }

  /** Somebody needs the lists: what is stale and no change of which is told is read first (V26-CACHE-1, V26-CACHE-11). */
  async freshen(): Promise<void> {
    if (this.#source.traits.session) return
    await Promise.all(NOUNS.filter((noun) => this.#declared(noun)).map((noun) => this.#freshen(noun)))
  }

  /** The account has changed: the lists are dropped at once, and read again (V26-CACHE-7). */
  forget(): Promise<void> {
    for (const noun of NOUNS) this.#empty(noun)
    this.#publish()
    this.changed(NOUNS.filter((noun) => this.#lists[noun].reading))
    return this.refresh()
  }

  /** The server declared other things: new lists are read, others are gone. */
  declaredAnew(): void {
    for (const noun of NOUNS) {
      const list = this.#lists[noun]
      if (!this.#declared(noun)) this.#empty(noun)
      else if (list.lastRead === Number.NEGATIVE_INFINITY) this.changed([noun])
    }
    this.#publish()
  }

  /** The set of announced changes has changed. */
  coverageChanged(): void {
    if (this.#untold().join() !== this.#shownUntold) this.#publish()
  }

  /** The server says that a list changed: it is read soon, once for a burst. Honoured even if never announced (LIFE-20). */
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
    const changed = list.cancelTimer !== undefined && list.settle <= SUSPECT
    const told = list.readWhileTold && this.#source.covers?.(LISTS[noun].needs)
    if (list.reading || changed || (!told && list.fresh.due)) await this.#read(noun)
  }

  #empty(noun: Noun): void {
    const list = this.#lists[noun]
    list.byKey = new Map()
    list.problems = []
    list.lastRead = Number.NEGATIVE_INFINITY
  }

  #untold(): readonly string[] {
    return (this.#source.untold?.() ?? []).map((noun) => `No updates for ${noun}; refreshed when needed.`)
  }

  #schedule(noun: Noun): void {
    const list = this.#lists[noun]
    const { clock } = this.#source
    const quiet = clock.now() - list.lastRead > 2 * list.settle
    list.settle = quiet ? SETTLE : Math.min(MAX_SETTLE, list.settle * 2)
    list.cancelTimer = clock.after(list.settle, () => {
      list.cancelTimer = undefined
      // A failure is told in `problems`; the end of the connection needs no word.
      void this.#read(noun).catch(() => {})
    })
  }

  /** One reading of a list at a time; callers in the meantime get the same one. */
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
        // Of all pages the one that ages first counts (V26-CACHE-9).
        let until = Number.POSITIVE_INFINITY
        const fetch = async (cursor: string | undefined) => {
          const page = await fetchPage(method, cursor, signal)
          if (page.ttl !== undefined) until = Math.min(until, list.fresh.ends(page.ttl))
          return page
        }
        const listing = await readPages(fetch, limits, stale, () => this.#collectors[noun](border))
        if (!listing) continue
        list.fresh.read(until)
        list.readWhileTold = this.#source.covers?.(LISTS[noun].needs) ?? false
        const { taken, cut } = listing
        list.byKey = taken.byKey
        list.problems = cut === undefined ? taken.problems : [`The list of ${word} is cut: ${cut}.`, ...taken.problems]
        this.#publish()
        return
      }
    } catch (error) {
      list.fresh.read(undefined)
      if (signal.aborted) throw error
      if (error instanceof RequestError && (error.code === 'closed' || error.code === 'session-lost')) throw error
      // Many servers declare more than they have, and say so this way: an empty list.
      if (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) {
        list.byKey = new Map()
        list.problems = []
      } else list.problems = [`The list of ${word} could not be read: ${plain(error)}`]
      this.#publish()
    }
  }

  /** The tool with what it mirrors; one that says it wrongly is of no use here, and costs no other (V26-HTTP-14). */
  #mirroring(entry: CatalogTool): CatalogTool {
    if (entry.unusable !== undefined) return entry
    const { mirrored, problem } = mirrorsOf(entry.tool.inputSchema)
    if (problem === undefined) return mirrored.length === 0 ? entry : { ...entry, mirrored }
    if (this.tool(entry.tool.name)?.unusable !== problem) {
      this.#source.onRemark(`The tool “${entry.tool.name.slice(0, 100)}” is not offered. ${problem}`)
    }
    return { ...entry, unusable: problem }
  }

  #runsTasks(): boolean {
    const tasks = this.#source.capabilities().tasks as { requests?: { tools?: { call?: unknown } } } | undefined
    return tasks?.requests?.tools?.call !== undefined
  }

  #publish(): void {
    const untold = this.#untold()
    this.#shownUntold = untold.join()
    const { tools, resources, templates, prompts } = this.#lists
    this.#value = {
      version: this.#value.version + 1,
      tools: [...tools.byKey.values()],
      resources: [...resources.byKey.values()],
      templates: [...templates.byKey.values()],
      prompts: [...prompts.byKey.values()],
      problems: [...untold, ...NOUNS.flatMap((noun) => this.#lists[noun].problems)].slice(0, MAX_PROBLEMS),
    }
    try {
      this.onChange.fire()
    } catch (error) {
      this.#source.onRemark(`A change of the catalog could not be handled: ${String(error)}`)
    }
  }
}

interface ListState<Entry> {
  byKey: ReadonlyMap<string, Entry>
  problems: readonly string[]
  /** Counts the changes that the server told; `readAt` is the count that the last reading began with. */
  changes: number
  readAt: number
  lastRead: number
  settle: number
  readonly fresh: Freshness
  /** Every change since it was read was told. */
  readWhileTold: boolean
  reading: Promise<void> | undefined
  cancelTimer: (() => void) | undefined
}

function emptyList<Entry>(clock: Clock): ListState<Entry> {
  return {
    byKey: new Map(),
    problems: [],
    changes: 0,
    readAt: 0,
    lastRead: Number.NEGATIVE_INFINITY,
    settle: SETTLE,
    fresh: new Freshness(clock),
    readWhileTold: false,
    reading: undefined,
    cancelTimer: undefined,
  }
}

/** A tool that runs only as a task cannot be called by a client without tasks, if the server really runs tasks. */
function taskOnly(entry: CatalogTool, serverRunsTasks: boolean): CatalogTool {
  if (entry.unusable !== undefined || !serverRunsTasks || entry.tool.execution?.taskSupport !== 'required') return entry
  return { ...entry, unusable: 'It runs only as a task, which Parley does not support yet.' }
}

function plain(error: unknown): string {
  if (error instanceof ProtocolError) return `the server answered with error ${error.code}, “${error.message.slice(0, 300)}”.`
  if (error instanceof RequestError || error instanceof TransportError) return error.message
  return 'something unexpected happened.'
}
