import type { Power, PowersKnown } from '../../../src-shared/contract/consent.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { type JudgedTool, powersOf } from '../../consent/powers.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'

interface JudgedParts extends Pick<HostCore, 'storage'> {
  readonly servers: Servers
}

/** Tools as the engine judges them: with what the person said of them, which holds for the launch that it was said of. */
export class JudgedTools {
  readonly #parts: JudgedParts
  readonly #corrected: KeptRecords<'tool-powers'>
  readonly #trusted: KeptRecords<'trusted-hints'>
  readonly #accepted: KeptRecords<'accepted-guesses'>
  #judged = new WeakMap<Tool, JudgedTool>()

  constructor(parts: JudgedParts) {
    this.#parts = parts
    const onChange = () => {
      this.#judged = new WeakMap()
    }
    this.#corrected = new KeptRecords(parts.storage.records, 'tool-powers', { onChange })
    this.#trusted = new KeptRecords(parts.storage.records, 'trusted-hints', { onChange })
    this.#accepted = new KeptRecords(parts.storage.records, 'accepted-guesses', { onChange })
  }

  async load(): Promise<void> {
    await this.#corrected.load()
    await this.#trusted.load()
    await this.#accepted.load()
  }

  of({ serverId, serverName, launchIdentity, tool, fingerprint, hints }: AvailableTool): JudgedTool {
    const known = this.#judged.get(tool)
    if (known?.launchIdentity === launchIdentity && known.serverName === serverName) return known
    const corrected = this.#corrected.get(`${serverId}\n${tool.name}`)
    const accepted = this.#accepted.get(serverId)
    const published = this.#parts.servers.configured.find(serverId)?.published
    const judged: JudgedTool = {
      serverId,
      serverName,
      launchIdentity,
      ...(published !== undefined && { published }),
      name: tool.name,
      fingerprint,
      hints,
      inputSchema: tool.inputSchema,
      ...(corrected?.launchIdentity === launchIdentity && { corrected: corrected.powers }),
      ...(this.#trusted.get(serverId)?.launchIdentity === launchIdentity && { hintsTrusted: true }),
      ...(accepted?.launchIdentity === launchIdentity &&
        Object.hasOwn(accepted.tools, tool.name) &&
        accepted.tools[tool.name] === fingerprint && { guessAccepted: true }),
    }
    this.#judged.set(tool, judged)
    return judged
  }

  /** Every usable tool that is not hidden. */
  all(): readonly JudgedTool[] {
    return this.#parts.servers.tools.all().flatMap((tool) => (tool.hidden ? [] : [this.of(tool)]))
  }

  /** A server's tools with their powers, for its page. */
  list(serverId: ServerId): {
    hintsTrusted: boolean
    tools: readonly { tool: string; fingerprint: string; powers: readonly Power[]; known: PowersKnown }[]
  } {
    const identity = this.#record(serverId).launchIdentity
    const tools = this.#parts.servers.tools.all().filter((tool) => tool.serverId === serverId)
    return {
      hintsTrusted: this.#trusted.get(serverId)?.launchIdentity === identity,
      tools: tools.map((tool) => {
        const { powers, from } = powersOf(this.of(tool))
        return { tool: tool.tool.name, fingerprint: tool.fingerprint, powers: [...powers], known: from }
      }),
    }
  }

  /** Null takes the person's word back. */
  async correct(serverId: ServerId, tool: string, powers: readonly Power[] | null): Promise<void> {
    const { launchIdentity } = this.#record(serverId)
    const key = `${serverId}\n${tool}`
    if (powers) await this.#corrected.put(key, { launchIdentity, powers: [...new Set(powers)] })
    else await this.#corrected.remove(key)
  }

  async trustHints(serverId: ServerId, trust: boolean): Promise<void> {
    const { launchIdentity } = this.#record(serverId)
    if (trust) await this.#trusted.put(serverId, { launchIdentity })
    else await this.#trusted.remove(serverId)
  }

  /** The guesses that the person saw and left as they are, by definition; null takes that back. A tool that has changed since is not among them. */
  async acceptGuesses(serverId: ServerId, tools: Readonly<Record<string, string>> | null): Promise<void> {
    const { launchIdentity } = this.#record(serverId)
    if (tools) await this.#accepted.put(serverId, { launchIdentity, tools })
    else await this.#accepted.remove(serverId)
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    if (this.#accepted.has(serverId)) await this.#accepted.remove(serverId)
    if (this.#trusted.has(serverId)) await this.#trusted.remove(serverId)
    for (const key of this.#corrected.keys()) if (key.startsWith(`${serverId}\n`)) await this.#corrected.remove(key)
  }

  #record(serverId: ServerId) {
    const record = this.#parts.servers.configured.find(serverId)?.record
    if (!record) throw new HostError('not-found', 'This server no longer exists.')
    return record
  }
}
