import { type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import type { ContextReport, ServerCost, ToolCosts, WaitingCost } from '../../../src-shared/contract/context.ts'
import type { AttachmentId, ConversationId, MessageId, ProjectId } from '../../../src-shared/contract/ids.ts'
import {
  costOf,
  type ModelRef,
  NO_SWITCHES,
  type ProviderKind,
  type ToolSwitches,
} from '../../../src-shared/contract/settings.ts'
import type { StoredMessage, Transcript } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import { READ_RESULT } from '../models/large-results.ts'
import { isGivenInPart } from '../models/model-content.ts'
import { imageLimits } from '../models/model-families.ts'
import { offeredTool } from '../models/offered-tool.ts'
import type { ModelTraits, Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import { messageTokens, textTokens, toolTokens } from '../models/token-estimate.ts'
import type { Offerings } from '../offerings/offerings.ts'
import type { ProjectGuidance, Projects } from '../projects/projects.ts'
import type { Servers } from '../servers/servers.ts'
import type { Skills } from '../skills/skills.ts'
import { remediesOf, sum, unusedServer } from './context-remedies.ts'
import type { Conversation } from './conversation.ts'
import { messageHistory, projectFiles } from './model-history.ts'
import { attachmentsOf } from './person-message.ts'
import { skillTools } from './read-skill.ts'
import { systemPrompt } from './system-prompt.ts'
import { ASSUMED_WINDOW, definitionTokens, FIND_TOOLS, mustSearch } from './tool-discovery.ts'
import { switchedOn, switchOf } from './tool-switches.ts'

/** Messages and tools that a report lists. */
const MAX_MESSAGES = 500
const MAX_TOOLS = 200
/** Share of the window from which a conversation is nearly full. */
const NEAR = 0.8
/** Counts that are cached. */
const MAX_COUNTS = 20_000

interface MeterParts extends Pick<HostCore, 'storage' | 'settings' | 'lifetime'> {
  readonly offerings: Offerings
  readonly servers: Servers
  readonly providers: Providers
  readonly projects: Projects
  readonly skills: Skills
}

/** Measures a conversation against its model's window. */
export class ContextMeter {
  readonly #parts: MeterParts
  /** Cached counts of finished messages and attachments. */
  readonly #counts = new Map<string, number>()

  constructor(parts: MeterParts) {
    this.#parts = parts
  }

  async read(conversation: Conversation, signal = this.#parts.lifetime.signal): Promise<ContextReport> {
    const { offerings, settings, providers, skills } = this.#parts
    const { id, head, waiting: attachments, switches = NO_SWITCHES, guidance: project } = conversation
    const { model } = head
    const traits = providers.traitsOf(model)
    const { kind, window } = traits
    const transcript = await conversation.transcript()
    const documents = traits.documents ? documentsWithin(transcript.messages, project?.files) : undefined
    const counted: { id: MessageId; tokens: number }[] = []
    for (const stored of transcript.messages) {
      counted.push({ id: stored.message.id, tokens: await this.#count(id, stored, transcript, model, traits, documents) })
    }
    const messages = counted.slice(-MAX_MESSAGES)
    const earlier = sum(counted.slice(0, -MAX_MESSAGES))
    const all = offerings.tools.all()
    const { allSwitches } = conversation
    const definitions = switchedOn(all, allSwitches).map((tool) => tool.offered)
    const allTools = definitionTokens(definitions, kind)
    const ofSkills = skillTools(await skills.on(allSwitches.skills ?? [], signal))
    const discovery = mustSearch([...definitions, ...ofSkills], { window, kind }, settings.current.toolShare)
    const own = definitions.length > 0 ? toolTokens(READ_RESULT, kind) : 0
    const tools = own + (discovery ? toolTokens(FIND_TOOLS, kind) : allTools)
    const system = textTokens(systemPrompt(settings.current.instructions, project), kind)
    const waiting = await this.#countWaiting(attachments, transcript, project, model, traits)
    const files = await this.#countFiles(project, model, traits, documents)
    const listed = definitionTokens(ofSkills, kind)
    const total = system + files + tools + listed + earlier + sum(messages) + sum(waiting)
    const servers = this.#servers(switches, project?.switches ?? NO_SWITCHES, kind)
    const limit = window ?? ASSUMED_WINDOW
    const near = total >= limit ? 'over' : total >= limit * NEAR ? 'near' : 'fine'
    const hinting = servers.filter(({ serverId }) => this.#parts.servers.configured.find(serverId)?.record.options.hintsAtCost)
    const unused = discovery ? undefined : unusedServer(hinting, transcript)
    const shown = transcript.messages.slice(-MAX_MESSAGES).map(({ message }) => message)
    return {
      model,
      ...(window === undefined ? { assumedWindow: ASSUMED_WINDOW } : { window }),
      ...this.#spent(transcript.messages),
      total,
      system,
      files,
      messages,
      earlier,
      attachments: waiting,
      tools,
      skills: listed,
      allTools,
      discovery,
      servers,
      ...(unused && { unused }),
      state: near,
      remedies:
        near === 'fine'
          ? []
          : remediesOf({
              total,
              window: limit,
              servers: discovery ? [] : servers,
              attachments,
              counted: messages,
              messages: shown,
            }),
    }
  }

  /** Tokens of each tool, and its switches in a project and everywhere, without those of a conversation. */
  async tools(model: ModelRef, project?: ProjectId): Promise<ToolCosts> {
    const { projects, providers } = this.#parts
    const inProject = (project && projects.switchesOf(project)) ?? NO_SWITCHES
    return { servers: this.#servers(NO_SWITCHES, inProject, providers.traitsOf(model).kind) }
  }

  #spent(messages: readonly StoredMessage[]): Pick<ContextReport, 'spent'> {
    let spent = 0
    for (const { message } of messages) {
      const price = message.usage && message.model && this.#parts.providers.priceOf(message.model)
      if (price) spent += costOf(message.usage, price)
    }
    return spent > 0 ? { spent } : {}
  }

  async #count(
    conversation: ConversationId,
    stored: StoredMessage,
    transcript: Transcript,
    model: ModelRef,
    traits: ModelTraits,
    documents: ReadonlySet<AttachmentId> | undefined,
  ): Promise<number> {
    const { message } = stored
    const open = message.parts.some((part) => {
      const call = part.type === 'tool-call' ? transcript.toolCalls.get(part.toolCallId)?.toolCall : undefined
      return call !== undefined && call.finishedAt === undefined
    })
    const whole = attachmentsOf(message).filter(({ id }) => documents?.has(id)).length
    const count = async () => {
      const history = await messageHistory(stored, transcript, model, this.#reader(model, traits, documents))
      return history.reduce((total, one) => total + messageTokens(one, traits.kind), 0)
    }
    if (open || message.status === 'streaming') return count()
    return this.#counted(`${whole}/${conversation}/${message.id}`, model, traits, count)
  }

  async #countWaiting(
    waiting: readonly Attachment[],
    { messages }: Transcript,
    project: ProjectGuidance | undefined,
    model: ModelRef,
    traits: ModelTraits,
  ): Promise<readonly WaitingCost[]> {
    const documents = traits.documents ? documentsWithin(messages, project?.files, waiting.filter(isFile)) : undefined
    return Promise.all(
      waiting.map(async (one): Promise<WaitingCost> => {
        const whole = documents?.has(one.id) ?? false
        const tokens = await this.#counted(`${whole}/${one.id}/${one.attachedAt}`, model, traits, () =>
          attachmentTokens(one, this.#reader(model, traits, documents), traits),
        )
        const given = whole ? undefined : shortOf(one, documents !== undefined)
        return { id: one.id, tokens, ...(given && { given }) }
      }),
    )
  }

  async #countFiles(
    project: ProjectGuidance | undefined,
    model: ModelRef,
    traits: ModelTraits,
    documents: ReadonlySet<AttachmentId> | undefined,
  ): Promise<number> {
    if (!project || project.files.length === 0) return 0
    const ids = project.files.map(({ id }) => `${id}${documents?.has(id) ? '+' : ''}`)
    return this.#counted(`${project.name}/${ids}`, model, traits, async () => {
      const content = await projectFiles(project, this.#reader(model, traits, documents))
      return messageTokens({ role: 'user', content }, traits.kind)
    })
  }

  /** Caches a count for all models that get the same content. */
  async #counted(what: string, model: ModelRef, { kind, vision }: ModelTraits, count: () => Promise<number>): Promise<number> {
    const key = `${kind}/${vision ? JSON.stringify(imageLimits(kind, model.model)) : 'blind'}/${what}`
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const tokens = await count()
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear()
    this.#counts.set(key, tokens)
    return tokens
  }

  #reader(model: ModelRef, traits: ModelTraits, documents: ReadonlySet<AttachmentId> | undefined) {
    return measuringReader(this.#parts.storage.blobs, model, traits, documents)
  }

  /** The most expensive first, including tools that are hidden everywhere, so that each has its switch. */
  #servers(switches: ToolSwitches, inProject: ToolSwitches, kind: ProviderKind): readonly ServerCost[] {
    const byServer = new Map<string, { serverName: string; tools: ServerCost['tools'][number][] }>()
    for (const available of this.#parts.servers.tools.all()) {
      const { serverId, serverName, tool } = available
      const tokens = toolTokens(offeredTool(serverName, tool), kind)
      const server = byServer.get(serverId) ?? { serverName, tools: [] }
      byServer.set(serverId, server)
      const off = switchOf(inProject, serverId, tool.name) !== 'offered'
      const here = off ? 'off-in-project' : switchOf(switches, serverId, tool.name)
      server.tools.push({ tool: tool.name, tokens, state: available.hidden ? 'off-everywhere' : here })
    }
    return [...byServer]
      .map(
        ([serverId, { serverName, tools }]): ServerCost => ({
          serverId: serverId as ServerCost['serverId'],
          serverName,
          tokens: sum(tools.filter((tool) => tool.state === 'offered')),
          tools: tools.sort((a, b) => b.tokens - a.tokens).slice(0, MAX_TOOLS),
          toolCount: tools.length,
        }),
      )
      .sort((a, b) => b.tokens - a.tokens)
  }
}

/** The reduced form that a model gets: a part, or the text of a PDF when the model has its maximum of PDF files. */
function shortOf(attachment: Attachment, takesDocuments: boolean): WaitingCost['given'] {
  if (isGivenInPart(attachment)) return 'part'
  return takesDocuments && isFile(attachment) && attachment.pages !== undefined ? 'text' : undefined
}
