import { Emitter } from '../../../src-shared/base/emitter.ts'
import { onlyReads, type ToldTool, type ToolPowersView } from '../../../src-shared/contract/consent.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { isVouched, type JudgedTool, mayBeToldToRead, powersOf } from '../../consent/powers.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'

interface JudgedParts extends Pick<HostCore, 'storage'> {
  readonly servers: Servers
}

/** Tools for the engine, with the person's own settings, which apply only to the launch that they were made for. */
export class JudgedTools {
  /** The server whose tools the person said more of. */
  readonly said = new Emitter<ServerId>()
  readonly #parts: JudgedParts
  readonly #trusted: KeptRecords<'trusted-hints'>
  readonly #told: KeptRecords<'told-powers'>
  #judged = new WeakMap<Tool, JudgedTool>()

  constructor(parts: JudgedParts) {
    this.#parts = parts
    const onChange = () => {
      this.#judged = new WeakMap()
    }
    this.#trusted = new KeptRecords(parts.storage.records, 'trusted-hints', { onChange })
    this.#told = new KeptRecords(parts.storage.records, 'told-powers', { onChange })
  }

  async load(): Promise<void> {
    await this.#trusted.load()
    await this.#told.load()
    await this.#takeOverCorrections()
  }

  /**
   * Moves corrections of earlier versions, which held for any definition, into the reviews. They keep what they add; a correction that
   * says less asks for a review.
   */
  async #takeOverCorrections(): Promise<void> {
    const { records } = this.#parts.storage
    for (const [key, { launchIdentity, powers }] of await records.all('tool-powers')) {
      const [serverId = '', tool = ''] = key.split('\n')
      const before = this.#told.get(serverId)
      const tools = before?.launchIdentity === launchIdentity ? before.tools : {}
      const told = Object.hasOwn(tools, tool) ? tools[tool] : undefined
      const all = [...new Set([...(told?.powers ?? []), ...powers])]
      const { fingerprint = '' } = told ?? {}
      await this.#told.put(serverId, { launchIdentity, tools: { ...tools, [tool]: { fingerprint, powers: all } } })
      await records.remove('tool-powers', key)
    }
  }

  of({ serverId, serverName, launchIdentity, tool, fingerprint, hints, offline }: AvailableTool): JudgedTool {
    const known = this.#judged.get(tool)
    if (known?.launchIdentity === launchIdentity && known.serverName === serverName && known.offline === offline) return known
    const told = this.#toldOf(serverId, launchIdentity, tool.name)
    const published = this.#parts.servers.configured.find(serverId)?.published
    const judged: JudgedTool = {
      serverId,
      serverName,
      launchIdentity,
      ...(serverId === PLAYGROUND_ID && { builtIn: true as const }),
      ...(published !== undefined && { published }),
      name: tool.name,
      fingerprint,
      hints,
      inputSchema: tool.inputSchema,
      ...(offline && { offline }),
      ...(this.#trusted.get(serverId)?.launchIdentity === launchIdentity && { hintsTrusted: true }),
      // Powers that the person adds outlive a change of the definition: they only raise guards.
      ...(told?.powers && (told.fingerprint === fingerprint || !onlyReads(told.powers)) && { told: told.powers }),
    }
    this.#judged.set(tool, judged)
    return judged
  }

  all(): readonly JudgedTool[] {
    return this.#parts.servers.tools.all().flatMap((tool) => (tool.hidden ? [] : [this.of(tool)]))
  }

  list(serverId: ServerId): { hintsTrusted: boolean; tools: readonly ToolPowersView[] } {
    const { launchIdentity } = this.#record(serverId)
    return {
      hintsTrusted: this.#trusted.get(serverId)?.launchIdentity === launchIdentity,
      tools: this.#listed(serverId).map((tool) => this.#view(tool)),
    }
  }

  /** Tools of unknown powers that the person has not reviewed in this definition. */
  unmet(serverId: ServerId, launchIdentity: string): { readonly count: number; readonly of: number } {
    const listed = this.#listed(serverId)
    return { count: listed.filter((tool) => this.#view({ ...tool, launchIdentity }).unmet).length, of: listed.length }
  }

  /** Puts the number of tools to review into the server's record. */
  #changed(serverId: ServerId): void {
    this.#parts.servers.configured.find(serverId)?.refreshRecord()
  }

  #view(tool: AvailableTool): ToolPowersView {
    const { serverId, launchIdentity, fingerprint } = tool
    const name = tool.tool.name
    const { told, ...untold } = this.of(tool)
    const [now, guess] = [powersOf(this.of(tool)), powersOf(untold)]
    const seen = this.#toldOf(serverId, launchIdentity, name)
    return {
      tool: name,
      fingerprint,
      powers: [...now.powers],
      known: now.from,
      guess: { powers: [...guess.powers], known: guess.from },
      mayOnlyRead: mayBeToldToRead(untold, guess),
      ...(told && { told }),
      ...(!isVouched(guess.from) && seen?.fingerprint !== fingerprint && { unmet: seen ? 'changed' : 'new' }),
    }
  }

  #listed(serverId: ServerId): readonly AvailableTool[] {
    return this.#parts.servers.tools.all().filter((tool) => tool.serverId === serverId)
  }

  #toldOf(serverId: ServerId, launchIdentity: string, tool: string): ToldTool | undefined {
    const told = this.#told.get(serverId)
    return told?.launchIdentity === launchIdentity && Object.hasOwn(told.tools, tool) ? told.tools[tool] : undefined
  }

  async trustHints(serverId: ServerId, trust: boolean): Promise<void> {
    const { launchIdentity } = this.#record(serverId)
    if (trust) await this.#trusted.put(serverId, { launchIdentity })
    else await this.#trusted.remove(serverId)
    this.#changed(serverId)
  }

  /** Adds to the person's review of a server's tools; null undoes it. Ignores tools whose definition is no longer the reviewed one. */
  async tellPowers(serverId: ServerId, tools: Readonly<Record<string, ToldTool>> | null): Promise<void> {
    const { launchIdentity } = this.#record(serverId)
    if (tools) {
      const kept = this.#listed(serverId).flatMap(({ tool: { name }, fingerprint }) => {
        const told = Object.hasOwn(tools, name) ? tools[name] : undefined
        const now = told?.fingerprint === fingerprint ? told : this.#toldOf(serverId, launchIdentity, name)
        return now ? [[name, now] as const] : []
      })
      await this.#told.put(serverId, { launchIdentity, tools: Object.fromEntries(kept) })
    } else await this.#told.remove(serverId)
    this.#changed(serverId)
    this.said.fire(serverId)
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    if (this.#told.has(serverId)) await this.#told.remove(serverId)
    if (this.#trusted.has(serverId)) await this.#trusted.remove(serverId)
  }

  #record(serverId: ServerId) {
    const record = this.#parts.servers.configured.find(serverId)?.record
    if (!record) throw new HostError('not-found', 'This server no longer exists.')
    return record
  }
}
