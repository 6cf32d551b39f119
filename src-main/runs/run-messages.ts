import { z } from 'zod'

/** Characters of a prompt. */
export const PROMPT_LIMIT = 200_000

/** A prompt from the command line. */
export type RunRequest = z.infer<typeof runRequest>
const runRequest = z.strictObject({
  prompt: z.string().min(1).max(PROMPT_LIMIT),
  /** Name or id of the project; without one the conversation is in none. */
  project: z.string().min(1).max(200).exactOptional(),
})

const runCall = z.object({ server: z.string().exactOptional(), tool: z.string(), status: z.string() })

/** An open question that keeps a run from going on, or from using a server. */
export type RunQuestion = z.infer<typeof runQuestion>
const runQuestion = z.object({
  kind: z.string(),
  server: z.string(),
  /** A sentence from the person's point of view. */
  cause: z.string(),
  /** Calls that need consent, with the whole arguments as JSON. */
  calls: z.array(z.object({ server: z.string(), tool: z.string(), arguments: z.string() })).exactOptional(),
})

export type RunOutcome = z.infer<typeof runOutcome>
const runOutcome = z.object({
  status: z.enum(['finished', 'waiting', 'failed']),
  conversation: z.object({ id: z.string(), title: z.string() }).exactOptional(),
  /** Text of the last reply. */
  reply: z.string(),
  calls: z.array(runCall),
  questions: z.array(runQuestion),
  /** Of all replies together. */
  tokens: z.object({ input: z.number(), output: z.number() }),
  problem: z.object({ what: z.string(), todo: z.string().exactOptional() }).exactOptional(),
})

/** A request of a client to a running Parley. */
const runAsk = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('run'), request: runRequest }),
  /** A fresh link to the page of the web shell. */
  z.strictObject({ is: z.literal('link') }),
])
export const firstLine = z.strictObject({ key: z.string().max(200), ask: runAsk })
export type RunAsk = z.infer<typeof runAsk>

/** Lines of a running Parley to its client; the last one is an outcome, a link or a refusal. */
export type RunLine = z.infer<typeof runLine>
export const runLine = z.discriminatedUnion('is', [
  z.object({ is: z.literal('note'), text: z.string() }),
  z.object({ is: z.literal('outcome'), outcome: runOutcome }),
  z.object({ is: z.literal('link'), link: z.string() }),
  z.object({ is: z.literal('refused'), why: z.string() }),
])
