import { type Clock, timeLimit, within } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { PIN_LIMIT } from '../../src-shared/contract/conversations.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import { emptySnapshot, type HostSnapshot, SNAPSHOT_HEADS } from '../../src-shared/contract/events.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { Documents } from '../documents/documents.ts'
import { Images } from '../images/images.ts'
import { Schemas } from '../schemas/schemas.ts'
import type { Storage } from '../storage/base/storage.ts'
import type { Connector } from '../transports/http/connector.ts'
import { AppPages } from './apps/app-pages.ts'
import { type AppConversations, AppViews } from './apps/app-views.ts'
import { Backups } from './backups.ts'
import { HostFeatures } from './client-features/host-features.ts'
import { ServerQuestions } from './client-features/server-questions.ts'
import { ServerRoots } from './client-features/server-roots.ts'
import { Consent } from './consent/consent.ts'
import type { JudgedConversation } from './consent/consent-rules.ts'
import { callForApp } from './conversations/app-calls.ts'
import { BUILT_IN_NAMES } from './conversations/built-in-tools.ts'
import { ContextMeter } from './conversations/context-meter.ts'
import { ConversationFiles } from './conversations/conversation-files.ts'
import { ConversationTitles } from './conversations/conversation-titles.ts'
import { Conversations } from './conversations/conversations.ts'
import { Drafts } from './conversations/drafts.ts'
import { readArguments } from './conversations/model-history.ts'
import { Notes } from './conversations/notes.ts'
import { PersonFiles } from './conversations/person-files.ts'
import { ToolCalls } from './conversations/tool-calls.ts'
import { WebPages } from './conversations/web-pages.ts'
import { ChosenFolders } from './core/chosen-folders.ts'
import type { HostCore } from './core/host-core.ts'
import { HostNetwork } from './core/host-network.ts'
import { HostState } from './core/host-state.ts'
import { Interactions } from './core/interactions.ts'
import { LostParts } from './core/lost-parts.ts'
import { HostSettings, readSettings } from './core/settings.ts'
import { tellOfDamage } from './core/tell-of-damage.ts'
import { Topics } from './core/topics.ts'
import { TransientBlobs } from './core/transient-blobs.ts'
import { Imports } from './imports/imports.ts'
import { type LookLocal, type ProviderFactory, Providers } from './models/providers.ts'
import { Offerings } from './offerings/offerings.ts'
import { PlaceFiles } from './projects/place-files.ts'
import { Projects } from './projects/projects.ts'
import { Schedules } from './schedules/schedules.ts'
import { CallsByHand } from './servers/calls-by-hand.ts'
import { Servers } from './servers/servers.ts'
import { Skills } from './skills/skills.ts'

/** Milliseconds that ending may take: each server gets its own staged stop within them. */
const END_LIMIT = 6_000
const LOOK_LIMIT = 1_500

export interface HostOptions
  extends Pick<HostCore, 'platform' | 'clock' | 'lifetime' | 'environment' | 'connector' | 'playground'> {
  readonly storage: Storage
  /** False for a host that is there for one prompt of the command line. */
  readonly runsSchedules?: boolean
  /** Adapters of model providers; without it only the Demo model is there. */
  readonly providers?: ProviderFactory
  /** Looks for a local model server; over the network when absent. */
  readonly look?: LookLocal
}

/** The front door of the application: what a shell starts and a renderer link serves. */
export interface Host extends HostCore, HostParts {
  /** Ends turns and servers, in parallel and within six seconds. The storage stays open: its opener closes it. */
  end(): Promise<void>
}

type HostParts = ReturnType<typeof partsOf>

/** Resolves when the snapshot is complete and every server has a state; no server and no provider is waited for. Throws StorageError. */
export async function startHost(options: HostOptions): Promise<Host> {
  const lifetime = new Lifetime('host', options.lifetime)
  try {
    const core = await openCore(options, lifetime)
    const parts = partsOf(core, options)
    const { apps, appPages, byHand, consent, conversations, features, imports, notes, projects, providers, schedules, servers } =
      parts
    const loaded = [providers, features, projects, consent, schedules, notes, appPages, apps, imports.installed]
    for (const part of loaded) await part.load()
    servers.onRemoved.on((id) => {
      const forgetful = [consent, projects, appPages, apps].map((part) => part.forgetServer(id))
      tellOfKeptRules(core, [...forgetful, features.forget(id), imports.installed.forget(id)])
    })
    tellOfQuestions(core)
    tellOfDamage(core)
    await servers.start(features, byHand)
    void providers.refreshAll()
    resumeBackground(conversations, core)
    if (options.runsSchedules ?? true) schedules.start()
    let ended: Promise<void> | undefined
    return { ...core, ...parts, end: () => (ended ??= endOf(core, parts)) }
  } catch (error) {
    await lifetime.end().catch(() => {}) // The error that led here is thrown.
    throw error
  }
}

/** The parts of the application, each made of the core and of those before it. */
function partsOf(core: HostCore, options: HostOptions) {
  const { clock, connector, storage } = core
  const providers = new Providers({ ...core, factory: options.providers, look: options.look ?? lookOver(connector, clock) })
  const servers = new Servers(core)
  const questions = new ServerQuestions({ ...core, servers })
  const roots = new ServerRoots({ ...core, questions, servers })
  const projects = new Projects({ ...core, roots })
  // If this cannot be saved, a new conversation says that its model is gone.
  providers.onRemoved.on((id) => void projects.forgetProvider(id).catch(() => {}))
  const conversationOf = (id: ConversationId): JudgedConversation | undefined => conversations.find(id)
  const consent = new Consent({ ...core, servers, conversationOf })
  const { calls: serverCalls, configured, tools } = servers
  const offerings = new Offerings({ ...core, servers, providers, rules: consent, reserved: BUILT_IN_NAMES })
  const appPages = new AppPages({ ...core, servers, rules: consent })
  const calls = new ToolCalls({ ...core, servers, consent, tools: offerings.tools, apps: appPages })
  const skills = new Skills({ ...core, servers, rules: consent })
  const conversations = new Conversations({ ...core, providers, calls, projects, consent, offerings, skills })
  const placeFiles = new PlaceFiles({ ...core, roots })
  const documents = new Documents(core)
  const personFiles = new PersonFiles({ ...core, documents, providers, projects, placeFiles })
  return {
    network: new HostNetwork(core),
    backups: new Backups(core),
    providers,
    servers,
    /** Calls that people make on a server's page. */
    byHand: new CallsByHand({ ...core, configured, tools, calls: serverCalls, rules: consent }),
    imports: new Imports(core, servers),
    /** Questions of servers to people. */
    features: new HostFeatures({ ...core, providers, servers, questions, roots, rules: consent }),
    projects,
    skills,
    consent,
    offerings,
    conversations,
    schedules: new Schedules({ ...core, servers, conversations, projects }),
    appPages,
    /** Open views of tools' results. */
    apps: new AppViews({ ...core, servers, rules: consent, conversations: appConversations(conversations, storage) }),
    drafts: new Drafts(storage),
    /** Files in the folders of conversations' places. */
    placeFiles,
    /** Files that people attach. */
    personFiles,
    notes: new Notes({ ...core, files: personFiles }),
    webPages: new WebPages({ ...core, documents, files: personFiles }),
    conversationFiles: new ConversationFiles({ ...core, conversations }),
    titles: new ConversationTitles({ ...core, providers, conversations }),
    meter: new ContextMeter({ ...core, offerings, servers, providers, projects, skills }),
  }
}

async function endOf({ clock, lifetime }: HostCore, { conversations, imports, schedules, servers }: HostParts): Promise<void> {
  // Schedules first, so that a run which is interrupted now goes on with the next host.
  const parts = Promise.allSettled([schedules.end(), conversations.end(), servers.end()])
  // A bundle that cannot be removed now is removed when the next host ends.
  await within(
    clock,
    END_LIMIT,
    parts.then(() => Promise.allSettled([imports.end()])).then(() => lifetime.end()),
  )
}

async function openCore(options: HostOptions, lifetime: Lifetime): Promise<HostCore> {
  const { storage, clock } = options
  await storage.conversations.purgeRemoved()
  await storage.conversations.markInterrupted(clock.now())
  const state = new HostState(await firstSnapshot(options))
  const onLost = new LostParts({ state, clock }).tell
  return {
    ...options,
    lifetime,
    storage: { ...storage, blobs: new TransientBlobs(storage.blobs) },
    folders: new ChosenFolders(options.platform),
    state,
    topics: new Topics(),
    interactions: new Interactions({ state, clock }),
    settings: new HostSettings({ records: storage.records, state }),
    onLost,
    images: new Images({ clock, lifetime, onLost }),
    checkValue: new Schemas({ clock, lifetime, onLost }).check,
  }
}

/** Bounded: heads without messages, servers without catalogs. Servers and providers are added as they are opened. */
async function firstSnapshot({ storage, platform }: HostOptions): Promise<HostSnapshot> {
  const heads = await storage.conversations.heads({ limit: SNAPSHOT_HEADS })
  const pinned = await storage.conversations.heads({ limit: PIN_LIMIT, pinned: true })
  const known = new Set(heads.items.map(({ id }) => id))
  const shown = [...heads.items, ...pinned.items.filter(({ id }) => !known.has(id))]
  return {
    ...emptySnapshot,
    shell: platform.shell,
    version: platform.version,
    platform: platform.os,
    dataFolder: storage.folder,
    secretsIn: platform.cipher ? 'key-store' : 'file',
    ...(platform.desktop && { desktop: { powers: platform.desktop, ...(platform.updates && { update: { is: 'unknown' } }) } }),
    conversations: shown.map((head) => ({ ...head, turn: 'idle' })),
    conversationCount: heads.total,
    settings: await readSettings(storage.records),
  }
}

function lookOver({ fetch }: Connector, clock: Clock): LookLocal {
  return async (url, signal) => {
    using limit = timeLimit(clock, LOOK_LIMIT, undefined, signal)
    const response = await fetch(url, { signal: limit.signal })
    await response.body?.cancel()
    return response.ok
  }
}

/** Rules left behind are harmless: they are paused without their server, and a server added again needs trust again. */
function tellOfKeptRules({ state, clock }: HostCore, forgotten: readonly Promise<unknown>[]): void {
  Promise.all(forgotten).catch((error: unknown) => {
    const problem = { code: 'rules-kept', what: 'Its rules could not be removed.', said: String(error) }
    state.notice('warning', problem, clock.now())
  })
}

/** A conversation that cannot be opened shows its damage itself, and its calls stay interrupted. */
function resumeBackground(conversations: Conversations, { state, clock }: HostCore): void {
  conversations.resumeBackground().catch((error: unknown) => {
    const what = 'Servers were not asked again about calls that they run in the background.'
    state.notice('warning', { code: 'background', what, said: String(error) }, clock.now())
  })
}

/** Views are below conversations, so they are given what they need of them. */
function appConversations(conversations: Conversations, storage: HostCore['storage']): AppConversations {
  return {
    call: (id, toolCallId) =>
      conversations.open(id, async (one) => {
        await one.journal.flush()
        const stored = await storage.messages.toolCall(id, toolCallId)
        if (!stored) throw new HostError('not-found', 'This call no longer exists.')
        return stored
      }),
    argumentsOf: async (call) => (await readArguments(call.arguments, storage)) ?? {},
    tell: (id, { of: { serverId, serverName = '' }, uri, texts }, before) =>
      conversations.open(id, async (one) => {
        if (serverId === undefined) throw new HostError('not-found', 'Its server is gone.')
        return one.attachments.tell({ serverId, serverName, uri, title: `From the app of ${serverName}`, texts }, before)
      }),
    makeCall: (id, call) => conversations.open(id, (one) => callForApp(one, call)),
  }
}

/** Notifies a person whose window is in the background of questions and of overdue calls. */
function tellOfQuestions({ state, platform }: HostCore): void {
  const overdue = new Set<ConversationId>()
  state.onEvent((_seq, event) => {
    if (event.type === 'interaction.opened') {
      const { interaction } = event
      const { serverName, cause } = interaction.about
      platform.notify?.({ title: `${serverName}: your answer is needed`, body: cause, about: { is: 'question', interaction } })
    } else if (event.type === 'conversation.changed') {
      const { id, title } = event.head
      if (!event.head.overdue) overdue.delete(id)
      else if (!overdue.has(id)) {
        overdue.add(id)
        platform.notify?.({ title: 'Still waiting for a tool', body: title, about: { is: 'conversation', id } })
      }
    }
  })
}
