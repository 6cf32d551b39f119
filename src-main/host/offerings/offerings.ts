import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Providers } from '../models/providers.ts'
import type { PersonRules } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { ArgumentCompletion } from './argument-completion.ts'
import { NamedTools } from './named-tools.ts'
import { Prompts } from './prompts.ts'
import { ResourceWatches } from './resource-watches.ts'
import { Resources } from './resources.ts'

interface OfferingsParts extends HostCore {
  readonly servers: Servers
  readonly providers: Providers
  readonly rules: PersonRules
  /** Names of Parley's own tools. */
  readonly reserved: ReadonlySet<string>
}

/** Resources, prompts and suggestions that servers offer to people, and their tools for models. */
export class Offerings {
  readonly tools: NamedTools
  readonly resources: Resources
  readonly watches: ResourceWatches
  readonly prompts: Prompts
  readonly completion: ArgumentCompletion

  constructor(given: OfferingsParts) {
    const parts = { ...given, lifetime: new Lifetime('offerings', given.lifetime) }
    this.tools = new NamedTools(parts)
    this.resources = new Resources(parts)
    this.watches = new ResourceWatches(parts)
    this.prompts = new Prompts(parts)
    this.completion = new ArgumentCompletion(parts)
  }
}
