// Values for the database thread as well, which does not load zod and so none of the files with schemas.
import type { ProviderId } from './ids.ts'

export const DEMO_PROVIDER_ID = 'demo' as ProviderId
export const DEMO_MODEL = { provider: DEMO_PROVIDER_ID, model: 'demo' } as const

export const NO_PLACE = { folders: [], hosts: [], recipients: [] } as const

/** Characters; a title is one line. */
export const TITLE_LENGTH = 80

interface Switches {
  readonly servers: readonly unknown[]
  readonly tools: readonly unknown[]
  readonly skills?: readonly unknown[]
}

/** True if anything differs from NO_SWITCHES. */
export const isSwitched = ({ servers, tools, skills = [] }: Switches) => servers.length + tools.length + skills.length > 0

interface Running {
  readonly launch: { readonly type: string }
  readonly options: { readonly fence: unknown }
  readonly state: { readonly is: string }
}

/** True for a local server that runs, or would run, with all of the person's rights; false before its first start was answered. */
export const runsOpen = ({ launch, options, state }: Running): boolean =>
  launch.type === 'local' && !options.fence && state.is !== 'asking'
