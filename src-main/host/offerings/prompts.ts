import { randomUUID } from 'node:crypto'
import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import type { PromptOrigin, PromptPreview } from '../../../src-shared/contract/attachments.ts'
import type { ContentView } from '../../../src-shared/contract/blobs.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { PromptPreviewId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { Role } from '../../../src-shared/mcp/content.ts'
import type { Prompt, PromptMessage } from '../../../src-shared/mcp/primitives.ts'
import { type BlobSink, cut, InlineBudget, toContentView } from '../core/content-views.ts'
import { ExpiringHolds } from '../core/expiring-holds.ts'
import type { HostCore } from '../core/host-core.ts'
import { measuringReader } from '../models/attachment-tokens.ts'
import { promptContent } from '../models/model-content.ts'
import type { Providers } from '../models/providers.ts'
import { messageTokens } from '../models/token-estimate.ts'
import { type PersonRules, refuseDenied } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { promptFailure } from './resource-errors.ts'

/** Messages of one prompt; a person could not review more. */
const MESSAGE_LIMIT = 64
const PREVIEWS = 16
/** Inline bytes of a preview, and of one message. */
const PREVIEW_INLINE = 24 * 1024
const MESSAGE_INLINE = 8 * 1024
const WARNING_LIMIT = 8

/** One message of a prompt, as a conversation stores it. */
export interface PromptPart {
  readonly role: Role
  readonly content: ContentView
}

interface Previewed {
  readonly origin: PromptOrigin
  readonly messages: readonly PromptMessage[]
}

interface PromptsParts extends Pick<HostCore, 'storage' | 'clock' | 'state' | 'lifetime'> {
  readonly providers: Providers
  readonly servers: Servers
  readonly rules: PersonRules
}

/** Prompts that a person picked. They are previewed before they enter a conversation (PROMPT-02, PROMPT-14). */
export class Prompts {
  readonly #parts: PromptsParts
  readonly #held: ExpiringHolds
  /** Oldest first. */
  readonly #previews = new Map<PromptPreviewId, Previewed>()

  constructor(parts: PromptsParts) {
    this.#parts = parts
    this.#held = new ExpiringHolds(parts)
  }

  async get(
    serverId: ServerId,
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PromptPreview> {
    const { servers, rules, storage } = this.#parts
    const server = servers.configured.get(serverId)
    const client = await server.clients.started(signal)
    const serverName = server.record.name
    const listed = client.catalog.value.prompts.find((prompt) => prompt.name === name)
    if (!listed) throw new HostError('not-found', `“${cut(serverName, 80)}” does not offer the prompt “${cut(name, 80)}” now.`)
    const args = argumentsOf(listed, given)
    // Rules see an argument called `name` as well as the prompt's own name.
    await refuseDenied(rules, serverId, 'prompts/get', { ...args, name })
    if (args && 'name' in args) await refuseDenied(rules, serverId, 'prompts/get', args)
    const result = await servers.calls
      .forPerson(serverId, { tool: name, is: 'prompt', signal }, (client, how) => client.getPrompt(name, args, how))
      .catch((error) => {
        throw signal.aborted ? error : promptFailure(error, serverName, name)
      })
    const warnings = result.warnings.slice(0, WARNING_LIMIT).map((warning) => cut(warning, 300))
    const kept = result.messages.slice(0, MESSAGE_LIMIT)
    if (kept.length < result.messages.length)
      warnings.push(`${result.messages.length - kept.length} more messages were left out.`)
    const title = cut(listed.title || listed.name, 200)
    const preview = randomUUID() as PromptPreviewId
    const hold = storage.blobs.hold()
    const messages = await views(kept, hold, new InlineBudget(PREVIEW_INLINE)).catch((error: unknown) => {
      hold.release()
      throw error
    })
    this.#held.add(hold)
    this.#remember(preview, { origin: { kind: 'prompt', serverId, serverName, prompt: name, title }, messages: kept })
    const description = result.description ?? listed.description
    return {
      preview,
      serverId,
      serverName,
      prompt: name,
      title,
      messages,
      warnings,
      ...(description !== undefined && { description: cut(description, 1000) }),
      tokens: await this.#tokens(messages, serverName),
    }
  }

  /** Passes a preview to `done` and forgets it, unless `done` rejects. Throws HostError `not-found`. */
  async use<T>(
    preview: PromptPreviewId,
    done: (origin: PromptOrigin, messages: (keep: BlobSink) => Promise<readonly PromptPart[]>) => Promise<T>,
  ): Promise<T> {
    const held = this.#previews.get(preview)
    if (!held) throw new HostError('not-found', 'This preview has expired. Choose the prompt again.')
    this.#previews.delete(preview)
    try {
      return await done(held.origin, (keep) => views(held.messages, keep))
    } catch (error) {
      this.#remember(preview, held)
      throw error
    }
  }

  /** Tokens for the default model, since no conversation is chosen yet. Links are not read and count by their text (PROMPT-16). */
  async #tokens(messages: readonly PromptPart[], serverName: string): Promise<number> {
    const { state, providers, storage } = this.#parts
    const model = state.snapshot.settings.defaultModel
    const traits = providers.traitsOf(model)
    const reader = measuringReader(storage.blobs, model, traits)
    let sum = 0
    for (const { content } of messages) {
      sum += messageTokens({ role: 'user', content: await promptContent(content, serverName, reader) }, traits.kind)
    }
    return sum
  }

  #remember(preview: PromptPreviewId, previewed: Previewed): void {
    dropOldest(this.#previews.set(preview, previewed), PREVIEWS)
  }
}

/** The arguments that were filled in. Throws HostError `invalid-params` for an unknown or missing one (PROMPT-05, PROMPT-06). */
function argumentsOf(prompt: Prompt, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const declared = prompt.arguments ?? []
  const unknown = Object.keys(given).find((name) => !declared.some((argument) => argument.name === name))
  if (unknown !== undefined) throw new HostError('invalid-params', `This prompt has no argument “${cut(unknown, 80)}”.`)
  const missing = declared.find((argument) => argument.required && !given[argument.name]?.trim())
  if (missing) throw new HostError('invalid-params', `“${cut(missing.title || missing.name, 80)}” is required.`)
  const filled = declared.flatMap(({ name }) => (given[name] === undefined || given[name] === '' ? [] : [[name, given[name]]]))
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

async function views(messages: readonly PromptMessage[], keep: BlobSink, shared?: InlineBudget): Promise<readonly PromptPart[]> {
  const shown: PromptPart[] = []
  for (const { role, content } of messages) {
    shown.push({ role, content: await toContentView(content, keep, shared ?? new InlineBudget(MESSAGE_INLINE)) })
  }
  return shown
}
