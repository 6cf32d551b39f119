import type { Clock } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Storage } from '../../storage/base/storage.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { ToolCalls } from '../conversations/tool-calls.ts'
import type { HostState } from '../core/host-state.ts'
import type { PassingBlobs } from '../core/passing-blobs.ts'
import type { Platform } from '../core/platform.ts'
import type { Topics } from '../core/topics.ts'
import type { Servers } from '../servers/servers.ts'
import { ArgumentCompletion } from './argument-completion.ts'
import { Attachments } from './attachments.ts'
import { ContextMeter } from './context.ts'
import { ConversationBranches } from './conversation-branches.ts'
import { ConversationFiles } from './conversation-files.ts'
import { ConversationLabels } from './conversation-labels.ts'
import { PromptMessages } from './prompt-messages.ts'
import { Prompts } from './prompts.ts'
import { ResourceWatches } from './resource-watches.ts'
import { Resources } from './resources.ts'

interface ContextParts {
  readonly storage: Storage
  /** The storage's blobs, and those that only memory holds. */
  readonly blobs: PassingBlobs
  readonly platform: Platform
  readonly state: HostState
  readonly topics: Topics
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly servers: Servers
  readonly conversations: Conversations
  readonly calls: ToolCalls
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

  constructor(parts: ContextParts) {
    const { storage, blobs, platform, state, topics, clock, servers, conversations, calls } = parts
    const lifetime = new Lifetime('conversation context', parts.lifetime)
    const watches = new ResourceWatches({ servers, topics, clock, signal: lifetime.signal })
    this.resources = new Resources({ servers, blobs, clock })
    this.attachments = new Attachments({ storage, watches, clock, conversations, resources: this.resources })
    this.prompts = new Prompts({ servers, blobs, clock })
    const { prompts } = this
    this.promptMessages = new PromptMessages({ conversations, prompts, storage, clock })
    this.completion = new ArgumentCompletion(servers)
    this.branches = new ConversationBranches({ conversations, storage, state, clock })
    this.labels = new ConversationLabels({ conversations, store: storage.conversations })
    this.files = new ConversationFiles({ conversations, storage, blobs, platform, state, clock })
    this.meter = new ContextMeter({ conversations, storage, calls, servers, state })
    for (const room of [this.resources, this.prompts, this.files]) lifetime.onEnd(() => room.end())
  }
}
