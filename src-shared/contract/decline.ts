import { z } from 'zod'
import type { Given } from './schema-parts.ts'

/** A person's "no" to a question. */
export type Decline = Given<typeof decline>
export const decline = () => z.strictObject({ decision: z.literal('decline') })
