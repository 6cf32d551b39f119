import { z } from 'zod'
import type { JsonValue } from '../base/json.ts'
import { type Given, line, text, time } from './schema-parts.ts'

/** Why the host refused a renderer's request. */
type HostErrorCode =
  | 'invalid-params'
  | 'invalid-answer'
  | 'unknown-request'
  | 'not-found'
  | 'conflict'
  | 'refused'
  | 'unavailable'
  | 'host-restarted'
  | 'cancelled'
  | 'storage'
  | 'internal'

/** A HostError as it travels. */
export interface SerializedError {
  readonly code: HostErrorCode
  /** One or two plain sentences for the person: what failed, what it said, what to do. */
  readonly message: string
  readonly data?: JsonValue
}

export class HostError extends Error {
  readonly code: HostErrorCode
  readonly data: JsonValue | undefined

  constructor(code: HostErrorCode, message: string, data?: JsonValue) {
    super(message)
    this.name = 'HostError'
    this.code = code
    this.data = data
  }
}

/** A remedy of a problem. The page shows a button for each; addresses and commands are the host's own, none a server's. */
export type Remedy = Given<typeof remedy>
const remedy = () =>
  z.discriminatedUnion('is', [
    /** A variable that a local server wants, as a field to fill in; then it is started again. */
    z.object({ is: z.literal('set-variable'), name: text(100) }),
    /** The same for a header of a remote one. */
    z.object({ is: z.literal('set-header'), name: text(100) }),
    /** Opens its form at a field. */
    z.object({ is: z.literal('edit'), field: z.enum(['command', 'args', 'cwd', 'env', 'url', 'headers']) }),
    /** Puts an absolute path in place of its command. */
    z.object({ is: z.literal('use-command'), command: line() }),
    /** Puts these words in place of its command and arguments: a command line that was typed into one field, or paths in full. */
    z.object({ is: z.literal('use-words'), command: line(), args: z.array(line()).max(MAX_WORDS) }),
    /** Puts another address of the same origin in place of its own. */
    z.object({ is: z.literal('use-address'), url: text(8192) }),
    /** A program to get: what to type where the system has a way by command, and the page that tells more. */
    z.object({ is: z.literal('install'), program: text(100), command: line().exactOptional(), page: line() }),
    /** Another command for the person's terminal, to copy. */
    z.object({ is: z.literal('run'), command: line() }),
    z.object({ is: z.literal('start') }),
    z.object({ is: z.literal('sign-in') }),
    /** Shows the open question whether it may run. */
    z.object({ is: z.literal('review') }),
    z.object({ is: z.literal('automatic-version') }),
    /** Its Permissions: asking the person's model. */
    z.object({ is: z.literal('allow-sampling') }),
    /** Its tools that no model is offered are offered again. */
    z.object({ is: z.literal('offer-tools') }),
    z.object({ is: z.literal('open-settings'), section: z.enum(['network']) }),
    z.object({ is: z.literal('open-log') }),
  ])

/** Arguments that a remedy may put in place. */
export const MAX_WORDS = 100

/** How many remedies a problem has at most, the best first. */
const MAX_REMEDIES = 3

/** Something that went wrong, as a person should read it. */
export type Problem = Given<typeof problem>
export const problem = () =>
  z.object({
    /** Stable, for tests and links: `command-not-found`, `exited`, `no-answer`, … */
    code: text(100),
    /** The failure in one sentence. */
    what: line(),
    /** The words of the server or model, if any: rendered inert. */
    said: line().exactOptional(),
    /** The person's next step. */
    todo: line().exactOptional(),
    /** The best first. */
    remedies: z.array(remedy()).max(MAX_REMEDIES).exactOptional(),
    /** When trying again makes sense, milliseconds since the epoch. */
    retryAt: time().exactOptional(),
  })
