import { totalmem } from 'node:os'
import { onTestFinished } from 'vitest'
import type { Platform } from '../../src-main/host/core/platform.ts'
import { type Host, type HostOptions, startHost } from '../../src-main/host/host.ts'
import { createProvider } from '../../src-main/models/create-provider.ts'
import { linkedTransports } from '../../src-main/protocol/peer/linked-transport.ts'
import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../src-main/protocol/shapes/json-rpc.ts'
import type { Storage } from '../../src-main/storage/base/storage.ts'
import { openStorage } from '../../src-main/storage/open-storage.ts'
import type { ConnectorOptions } from '../../src-main/transports/http/connector.ts'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ToolCall } from '../../src-shared/contract/conversations.ts'
import type { HostEvent } from '../../src-shared/contract/events.ts'
import type { ConversationId, ProviderId } from '../../src-shared/contract/ids.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import { PLAYGROUND_ID } from '../../src-shared/contract/servers.ts'
import type { ProviderKind } from '../../src-shared/contract/settings.ts'
import { applyTopicEvent, type ConversationTopic, type TopicEvent } from '../../src-shared/contract/topics.ts'
import { isForModels } from '../../src-shared/mcp/app-tools.ts'
import type { Tool } from '../../src-shared/mcp/primitives.ts'
import { holding } from '../servers/linked/connect-scripted.ts'
import { type Reply, ScriptedServer } from '../servers/linked/scripted-server.ts'
import { ended } from '../support/manual-clock.ts'
import { MemoryFolder, memoryStorage } from '../support/storage/memory-storage.ts'
import { temporaryFolder } from '../support/storage/temporary-storage.ts'
import { testConnector } from '../support/test-connector.ts'
import { until } from '../support/until.ts'
import { ScriptedProvider, type ScriptedReply } from './scripted-provider.ts'

export interface ChatOptions {
  readonly tools?: readonly Tool[]
  /** Answers `tools/call`, with a result or the promise of one; echoes its arguments when absent. */
  readonly onCall?: Reply
  readonly replies?: readonly ScriptedReply[]
  /** True for a server that speaks only 2026-07-28. */
  readonly modern?: boolean
  /** The server's `serverInfo`. */
  readonly instructions?: string
  readonly clock?: Clock
  /** Runs before a message to the server is sent; a promise delays it. */
  readonly beforeSend?: (message: JsonRpcMessage) => Promise<void> | undefined
  /** The kind of transport that the host takes the link for. */
  readonly kind?: Transport['kind']
  /** Further capabilities of the server, and its answers. */
  readonly capabilities?: Record<string, unknown>
  readonly answers?: Record<string, Reply>
  /** A data folder on disk with its database thread; both are in memory by default. */
  readonly disk?: boolean
  /** An ended host whose data this one opens. */
  readonly after?: Pick<ChatHost, 'folder' | 'memory'>
  /** A layer between the host and its storage. */
  readonly storage?: (real: Storage) => Storage
  readonly platform?: Partial<Platform>
  readonly runsSchedules?: boolean
  /** The route of the app's own requests. */
  readonly network?: ConnectorOptions
  /** The environment of the app; that of the test by default. */
  readonly environment?: NodeJS.ProcessEnv
  /** A model behind its real adapter, at a loopback address, in place of the scripted one. */
  readonly api?: ServedModel
}

export interface ServedModel {
  readonly kind: Exclude<ProviderKind, 'demo'>
  /** Without a path. */
  readonly url: string
  readonly model: string
}

export const ECHO: Tool = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}

/** A real host with a scripted model and a scripted server in place of the Playground. */
export class ChatHost {
  readonly host: Host
  readonly folder: string
  /** A data folder in memory instead of `folder`. */
  readonly memory: MemoryFolder | undefined
  readonly storage: Storage
  readonly model: ScriptedProvider
  readonly events: HostEvent[] = []
  /** Every link that the host made to the server. */
  readonly servers: ScriptedServer[]
  /** The result of `tools/list`. */
  readonly tools: { list: readonly Tool[] }
  readonly end: () => Promise<void>

  constructor(parts: Pick<ChatHost, 'host' | 'memory' | 'storage' | 'model' | 'servers' | 'tools' | 'end'>) {
    this.host = parts.host
    this.folder = parts.storage.folder
    this.memory = parts.memory
    this.storage = parts.storage
    this.model = parts.model
    this.servers = parts.servers
    this.tools = parts.tools
    this.end = parts.end
    this.host.state.onEvent((_seq, event) => this.events.push(event))
  }

  get server(): ScriptedServer {
    const server = this.servers.at(-1)
    if (!server) throw new Error('The host made no link to the server yet.')
    return server
  }

  /** The arguments of every call that reached the server, oldest first. */
  get calls(): readonly { name: string; arguments: unknown }[] {
    return this.servers.flatMap((server) =>
      server.got('tools/call').map(({ params }) => ({ name: params.name, arguments: params.arguments })),
    )
  }

  async newConversation(): Promise<ConversationId> {
    return (await this.host.conversations.create()).id
  }

  /** Sends in a new conversation. */
  async say(text: string): Promise<ConversationId> {
    const id = await this.newConversation()
    await this.host.conversations.open(id, (one) => one.send(text))
    return id
  }

  /** A follower of a conversation, as a window is one. */
  async follow(id: ConversationId): Promise<Follower> {
    return Follower.of(this.host, id)
  }

  async question(at = 0): Promise<InteractionOf<'tool-consent'>> {
    return until(() => {
      const open = this.host.state.snapshot.interactions.filter((one) => one.kind === 'tool-consent')
      return open[at]
    }, `question ${at}`)
  }

  async answer(decision: 'once' | 'conversation' | 'always' | 'deny', at = 0): Promise<boolean> {
    const { id, kind, question } = await this.question(at)
    const calls = question.calls.map(({ toolCallId }) => toolCallId)
    // The largest limits of the kind, because these tests are not about limits.
    const offer = question.offers.findLast(({ scope }) => scope === decision)?.id
    if (decision !== 'deny' && decision !== 'once' && offer === undefined)
      throw new Error(`No rule for “${decision}” is offered.`)
    const answer =
      decision === 'deny' ? { decision } : ({ decision: 'allow', calls, ...(offer !== undefined && { offer }) } as const)
    return this.host.interactions.answer({ id, kind, answer })
  }

  async idle(id: ConversationId): Promise<void> {
    await until(async () => {
      const head = this.host.state.snapshot.conversations.find((one) => one.id === id)
      return head?.turn === 'idle' && (await this.storage.messages.latestTurn(id))?.status !== 'running'
    }, 'the turn to end')
  }

  async call(id: ConversationId, at = 0): Promise<ToolCall> {
    const { messages, toolCalls } = await this.storage.messages.transcript(id)
    const ids = messages.flatMap(({ message }) =>
      message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
    )
    const call = ids[at] && toolCalls.get(ids[at])
    if (!call) throw new Error(`There is no call ${at}.`)
    return call.toolCall
  }

  /** Changes the server's tools, and waits until the host knows them. */
  async changeTools(list: readonly Tool[]): Promise<void> {
    this.tools.list = list
    const version = () => this.host.state.snapshot.servers[PLAYGROUND_ID]?.catalog.version
    const before = version()
    await this.host.servers.catalogs.refresh(PLAYGROUND_ID, new AbortController().signal)
    await until(() => version() !== before, 'the new catalog')
  }
}

/** Mirrors a conversation topic as a window does. */
export class Follower {
  value: ConversationTopic
  readonly events: TopicEvent[] = []
  readonly seqs: number[] = []
  gone = false
  stop: () => void = () => {}

  private constructor(value: ConversationTopic) {
    this.value = value
  }

  static async of(host: Host, id: ConversationId): Promise<Follower> {
    const follower = new Follower({ kind: 'conversation', messages: [], toolCalls: {}, hasEarlier: false })
    const opened = await host.topics.follow(`conversation/${id}`, (seq, event) => {
      if (event === 'gone') {
        follower.gone = true
        return
      }
      follower.seqs.push(seq)
      follower.events.push(event)
      follower.value = applyTopicEvent(follower.value, event)
    })
    if (opened?.value.kind !== 'conversation') throw new Error('The conversation does not exist.')
    follower.value = opened.value
    follower.stop = opened.stop
    return follower
  }

  get text(): string {
    return this.value.messages
      .flatMap((message) => message.parts.map((part) => (part.type === 'text' ? part.text : '')))
      .join('|')
  }

  get calls(): readonly ToolCall[] {
    return Object.values(this.value.toolCalls)
  }
}

const introduction = (instructions?: string, capabilities: Record<string, unknown> = {}) => ({
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, ...capabilities },
  serverInfo: { name: 'scripted', version: '1.0.0' },
  ...(instructions !== undefined && { instructions }),
})

const echoed: Reply = (params) => ({ content: [{ type: 'text', text: `echo ${JSON.stringify(params.arguments)}` }] })

/** Starts a host; it and its folder end with the test. */
export async function chatHost(options: ChatOptions = {}): Promise<ChatHost> {
  const { after } = options
  const memory = after ? after.memory : options.disk ? undefined : new MemoryFolder()
  const clock = options.clock ?? systemClock
  const lifetime = new Lifetime('shell')
  const real = memory
    ? memoryStorage(memory)
    : await openStorage({ folder: after?.folder ?? (await temporaryFolder()), shell: 'web', clock: systemClock, lifetime })
  lifetime.onEnd(() => real.close())
  const storage = options.storage?.(real) ?? real
  const model = new ScriptedProvider(...(options.replies ?? []))
  const servers: ScriptedServer[] = []
  const tools = { list: options.tools ?? [ECHO] }
  const onCall = options.onCall ?? echoed
  const link = () => {
    const [near, far] = linkedTransports()
    const replies: Record<string, Reply> = {
      'tools/list': () => ({ tools: tools.list }),
      'tools/call': (params, request) => {
        const result = onCall(params, request)
        if (!(result instanceof Promise)) return result
        void result.then((value) => server.send({ jsonrpc: '2.0', id: request.id, result: value }))
        return undefined
      },
      ...options.answers,
    }
    const { modern = false } = options
    const said = introduction(options.instructions, options.capabilities)
    const server = new ScriptedServer(far, { introduction: said, modern, capabilities: said.capabilities, replies })
    servers.push(server)
    return options.beforeSend || options.kind ? holding(near, options.beforeSend, options.kind) : near
  }
  const parts: HostOptions = {
    storage,
    platform: {
      shell: 'web',
      version: '0.0.0',
      os: process.platform,
      memory: totalmem(),
      openExternal: async () => {},
      blobLink: (blob) => blob,
      ...options.platform,
    },
    clock,
    lifetime,
    environment: options.environment ?? process.env,
    connector: testConnector(lifetime, options.network),
    providers: ({ kind, name, baseUrl }, key) =>
      options.api ? createProvider(kind, { name, retries: 0, ...(baseUrl && { baseUrl }), ...(key && { key }) }) : model,
    playground: link,
    ...(options.runsSchedules !== undefined && { runsSchedules: options.runsSchedules }),
    look: async () => false,
  }
  const host = await startHost(parts)
  const end = () =>
    ended(
      host.end().then(() => lifetime.end()),
      clock,
    )
  onTestFinished(end)
  await offerModel(host, options.api)
  const offered = () => host.servers.tools.all().filter(({ serverId }) => serverId === PLAYGROUND_ID)
  await until(() => offered().length === tools.list.filter(isForModels).length, 'the tools of the server')
  return new ChatHost({ host, memory, storage, model, servers, tools, end })
}

async function offerModel(host: Host, served?: ServedModel): Promise<void> {
  const { kind, url, model } = served ?? { kind: 'openai-compatible', url: 'http://127.0.0.1:9', model: 'scripted' }
  const known = host.state.snapshot.providers.find((record) => record.kind !== 'demo')
  const provider =
    known?.id ??
    (await host.providers.add(
      { kind, name: 'Scripted', baseUrl: kind === 'anthropic' ? url : `${url}/v1`, models: [model] },
      served && 'sk-test',
    ))
  await until(() => host.state.snapshot.providers.find((record) => record.id === provider)?.state === 'ready', 'the model')
  await host.settings.change({ defaultModel: { provider: provider as ProviderId, model } })
}
