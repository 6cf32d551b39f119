// Values that the thread of the database needs, too: it starts without zod, and so without the files that hold schemas.
import type { ProviderId } from './ids.ts'

export const DEMO_PROVIDER_ID = 'demo' as ProviderId
export const DEMO_MODEL = { provider: DEMO_PROVIDER_ID, model: 'demo' } as const

/** A place in which nothing is named. */
export const NO_PLACE = { folders: [], hosts: [], recipients: [] } as const

/** Characters of a title, which stands on one line. */
export const TITLE_LENGTH = 80
