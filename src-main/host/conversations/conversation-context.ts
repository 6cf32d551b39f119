import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { PdfTexts } from '../../documents/pdf-texts.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Providers } from '../models/providers.ts'
import type { Offerings } from '../offerings/offerings.ts'
import { NamedFiles } from '../projects/named-files.ts'
import type { Projects } from '../projects/projects.ts'
import type { PersonRules } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { Attachments } from './attachments.ts'
import { ContextMeter } from './context-meter.ts'
import { ConversationBranches } from './conversation-branches.ts'
import { ConversationFiles } from './conversation-files.ts'
import { ConversationLabels } from './conversation-labels.ts'
import { ConversationTitles } from './conversation-titles.ts'
import type { Conversations } from './conversations.ts'
import { Drafts } from './drafts.ts'
import { PersonFiles } from './person-files.ts'
import { PromptMessages } from './prompt-messages.ts'

interface ContextParts extends HostCore {
  readonly servers: Servers
  readonly conversations: Conversations
  readonly offerings: Offerings
  readonly providers: Providers
  readonly projects: Projects
  readonly rules: PersonRules
}

/** Everything that people bring into conversations, and what they can do with those, put together. */
export class ConversationContext {
  readonly attachments: Attachments
  readonly namedFiles: NamedFiles
  readonly personFiles: PersonFiles
  readonly promptMessages: PromptMessages
  readonly branches: ConversationBranches
  readonly labels: ConversationLabels
  readonly files: ConversationFiles
  readonly titles: ConversationTitles
  readonly meter: ContextMeter
  readonly drafts: Drafts

  constructor(given: ContextParts) {
    const parts = { ...given, lifetime: new Lifetime('conversation context', given.lifetime) }
    this.attachments = new Attachments(parts)
    this.namedFiles = new NamedFiles(parts)
    const { attachments, namedFiles } = this
    this.personFiles = new PersonFiles({ ...parts, attachments, namedFiles, pdfTexts: new PdfTexts(parts) })
    this.promptMessages = new PromptMessages(parts)
    this.branches = new ConversationBranches(parts)
    this.labels = new ConversationLabels(parts.storage.conversations)
    this.files = new ConversationFiles(parts)
    this.titles = new ConversationTitles(parts)
    this.meter = new ContextMeter(parts)
    this.drafts = new Drafts(parts.storage)
    for (const room of [this.personFiles, this.files]) parts.lifetime.onEnd(() => room.end())
  }
}
