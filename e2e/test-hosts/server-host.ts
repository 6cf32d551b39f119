import { equal } from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Platform } from '../../src-main/host/core/platform.ts'
import { type Host, startHost } from '../../src-main/host/host.ts'
import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import { type OpenStorage, openStorage } from '../../src-main/storage/open-storage.ts'
import type { Connector } from '../../src-main/transports/http/connector.ts'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import type { ConfigValue, ServerConfig, ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import { ended } from '../support/manual-clock.ts'
import { testConnector } from '../support/test-connector.ts'
import { until } from '../support/until.ts'

const SMALL = fileURLToPath(new URL('../servers/small/', import.meta.url))

export interface ServerHostOptions {
  readonly clock?: Clock
  /** A data folder that outlives the host; a new one when absent. */
  readonly folder?: string
  readonly platform?: Partial<Platform>
  readonly environment?: NodeJS.ProcessEnv
  /** Makes a link to the built-in server; there is none when absent. */
  readonly playground?: () => Transport
  /** The connector; a direct one by default. */
  readonly connector?: Connector
  /** Runs on the opened storage before the host starts. */
  readonly prepare?: (storage: OpenStorage) => Promise<void>
}

/** A local server of `e2e/servers/small`. */
export function small(file: string, args: readonly string[] = [], env: Readonly<Record<string, ConfigValue>> = {}) {
  return { type: 'local' as const, command: process.execPath, args: [join(SMALL, file), ...args], env }
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-servers-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A real host over a real data folder that starts real processes. */
export class ServerHost {
  readonly host: Host
  readonly storage: OpenStorage
  readonly folder: string
  readonly #lifetime: Lifetime
  readonly #clock: Clock

  private constructor(host: Host, storage: OpenStorage, lifetime: Lifetime, clock: Clock) {
    this.host = host
    this.storage = storage
    this.folder = storage.folder
    this.#lifetime = lifetime
    this.#clock = clock
  }

  /** Ends with the test, unless it is ended earlier. */
  static async open(options: ServerHostOptions = {}): Promise<ServerHost> {
    const opened = await ServerHost.start(options.folder ?? (await temporaryFolder()), options)
    onTestFinished(() => opened.end())
    return opened
  }

  /** Its caller ends it: several tests may share it. */
  static async start(folder: string, options: ServerHostOptions = {}): Promise<ServerHost> {
    const { clock = systemClock, environment = process.env } = options
    const lifetime = new Lifetime('server host')
    const storage = await openStorage({ folder, shell: 'web', clock, lifetime })
    await options.prepare?.(storage)
    const platform: Platform = {
      shell: 'web',
      version: '0.0.1',
      os: process.platform,
      memory: totalmem(),
      openExternal: async () => {},
      blobLink: (blob) => `blob:${blob}`,
      ...options.platform,
    }
    const connector = options.connector ?? testConnector(lifetime)
    const host = await startHost({
      ...{ storage, platform, clock, lifetime, environment, connector, look: async () => false },
      ...(options.playground && { playground: options.playground }),
    })
    return new ServerHost(host, storage, lifetime, clock)
  }

  async end(): Promise<void> {
    await ended(
      this.host.end().then(() => this.#lifetime.end()),
      this.#clock,
    )
  }

  record(id: string): ServerRecord {
    const record = this.host.servers.configured.find(id as ServerId)?.record
    if (!record) throw new Error(`There is no server ${id}`)
    return record
  }

  async until<S extends ServerState['is']>(id: string, is: S): Promise<Extract<ServerState, { is: S }>> {
    const state = () => this.host.servers.configured.find(id as ServerId)?.record.state
    const look = () => state()?.is === is && state()
    // TypeScript does not narrow the state by the comparison.
    return until(look, () => `${id} to be ${is}, not ${JSON.stringify(state())}`) as Promise<Extract<ServerState, { is: S }>>
  }

  /** The state in which its start ends. */
  async started(id: string): Promise<Extract<ServerState, { is: 'ready' | 'failed' }>> {
    const state = () => this.host.servers.configured.find(id as ServerId)?.record.state
    const look = () => {
      const now = state()
      return now?.is === 'ready' || now?.is === 'failed' ? now : undefined
    }
    return until(look, () => `${id} to start or to fail, not ${JSON.stringify(state())}`)
  }

  /** The open question whether a server may be started. */
  async question(id: string): Promise<InteractionOf<'server-trust'>> {
    const find = () =>
      this.host.state.snapshot.interactions.find(
        (open): open is InteractionOf<'server-trust'> => open.kind === 'server-trust' && open.about.serverId === id,
      )
    return until(find, `a question about ${id}`)
  }

  async answer(id: string, decision: 'allow' | 'deny'): Promise<void> {
    const { id: question } = await this.question(id)
    this.host.interactions.answer({ id: question, kind: 'server-trust', answer: { decision } })
  }

  /** Adds a server, allows it and waits until it is ready. */
  async ready(name: string, launch: ServerConfig['launch'], options: ServerConfig['options'] = {}): Promise<ServerId> {
    const { serverId } = await this.host.servers.edits.add({ name, launch, options })
    await this.answer(name, 'allow')
    const state = await this.started(name)
    equal(state.is, 'ready', `${name} does not start: ${JSON.stringify(state)}`)
    return serverId
  }

  /** The result of a tool called by hand. */
  async call(id: ServerId, tool: string, args: Record<string, string> = {}): Promise<string> {
    const result = await this.host.byHand.call(id, tool, args, new AbortController().signal)
    const [first] = result.content
    return first?.type === 'text' ? first.text : JSON.stringify(first)
  }

  /** The lines of its log, as a newly opened window gets them. */
  async log(id: string): Promise<readonly string[]> {
    const topic = await this.host.topics.follow(`server/${id as ServerId}`, () => {})
    topic?.stop()
    return topic?.value.kind === 'server' ? topic.value.log.map((line) => `${line.source}: ${line.text}`) : []
  }

  file(): Promise<string> {
    return readFile(this.storage.serverFile.path, 'utf8')
  }
}
