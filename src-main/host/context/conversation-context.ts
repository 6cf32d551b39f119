import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { ToolCalls } from '../conversations/tool-calls.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Providers } from '../models/providers.ts'
import type { Servers } from '../servers/servers.ts'
import { ArgumentCompletion } from './argument-completion.ts'
import { Attachments } from './attachments.ts'
import { ContextMeter } from './context-meter.ts'
import { ConversationBranches } from './conversation-branches.ts'
import { ConversationFiles } from './conversation-files.ts'
import { ConversationLabels } from './conversation-labels.ts'
import { Drafts } from './drafts.ts'
import { PromptMessages } from './prompt-messages.ts'
import { Prompts } from './prompts.ts'
import { ResourceWatches } from './resource-watches.ts'
import { Resources } from './resources.ts'
import { ToolPages } from './tool-pages.ts'

interface ContextParts extends HostCore {
  readonly servers: Servers
  readonly conversations: Conversations
  readonly calls: ToolCalls
  readonly providers: Providers
}

/** Everything that people bring into conversations, and what they can do with those, put together. */
export class ConversationContext {
  readonly resources: Resources
  readonly attachments: Attachments
  readonly prompts: Prompts
  readonly promptMessages: PromptMessages
  readonly completion: ArgumentCompletion
  readonly branches: ConversationBranches
  readonly labels: ConversationLabels
  readonly files: ConversationFiles
  readonly meter: ContextMeter
  readonly toolPages: ToolPages
  readonly drafts: Drafts

  constructor(given: ContextParts) {
    const parts = { ...given, lifetime: new Lifetime('conversation context', given.lifetime) }
    this.resources = new Resources(parts)
    this.attachments = new Attachments({ ...parts, watches: new ResourceWatches(parts), resources: this.resources })
    this.prompts = new Prompts(parts)
    this.promptMessages = new PromptMessages({ ...parts, prompts: this.prompts })
    this.completion = new ArgumentCompletion(parts.servers)
    this.branches = new ConversationBranches(parts)
    this.labels = new ConversationLabels(parts.conversations, parts.storage.conversations)
    this.files = new ConversationFiles(parts)
    this.meter = new ContextMeter(parts)
    this.toolPages = new ToolPages(parts)
    this.drafts = new Drafts(parts.storage)
    for (const room of [this.resources, this.prompts, this.files]) parts.lifetime.onEnd(() => room.end())
  }
}
