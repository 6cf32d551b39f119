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

/** The page shows a button for each remedy. Addresses and commands come from the host, never from a server. */
export type Remedy = Given<typeof remedy>
const remedy = () =>
  z.discriminatedUnion('is', [
    /** Asks for a variable of a local server, then restarts it. */
    z.object({ is: z.literal('set-variable'), name: text(100) }),
    /** Asks for a header of a remote server, then restarts it. */
    z.object({ is: z.literal('set-header'), name: text(100) }),
    /** Opens the server's form at a field. */
    z.object({ is: z.literal('edit'), field: z.enum(['command', 'args', 'cwd', 'env', 'url', 'headers']) }),
    /** Replaces the command by an absolute path. */
    z.object({ is: z.literal('use-command'), command: line() }),
    /** Replaces command and arguments: splits a command line that was typed into one field, or completes paths. */
    z.object({ is: z.literal('use-words'), command: line(), args: z.array(line()).max(MAX_WORDS) }),
    /** Replaces the address by another one of the same origin. */
    z.object({ is: z.literal('use-address'), url: text(8192) }),
    /** A program to install, by a command where the system has one, or from a page. */
    z.object({ is: z.literal('install'), program: text(100), command: line().exactOptional(), page: line() }),
    /** A command to copy into a terminal. */
    z.object({ is: z.literal('run'), command: line() }),
    z.object({ is: z.literal('start') }),
    z.object({ is: z.literal('sign-in') }),
    /** Shows the open trust question. */
    z.object({ is: z.literal('review') }),
    z.object({ is: z.literal('automatic-version') }),
    /** Lets the server use the person's model. */
    z.object({ is: z.literal('allow-sampling') }),
    /** Offers the server's hidden tools again. */
    z.object({ is: z.literal('offer-tools') }),
    z.object({ is: z.literal('open-settings'), section: z.enum(['network']) }),
    z.object({ is: z.literal('open-log') }),
  ])

/** Arguments of `use-words`. */
export const MAX_WORDS = 100

const MAX_REMEDIES = 3

/** Something that went wrong, in words for the person. */
export type Problem = Given<typeof problem>
export const problem = () =>
  z.object({
    /** Stable: `command-not-found`, `exited`, `no-answer`, … */
    code: text(100),
    /** The failure, as one sentence. */
    what: line(),
    /** Text of the server or model: rendered inert. */
    said: line().exactOptional(),
    /** The person's next step. */
    todo: line().exactOptional(),
    /** The best first. */
    remedies: z.array(remedy()).max(MAX_REMEDIES).exactOptional(),
    /** The earliest time for another try, milliseconds since the epoch. */
    retryAt: time().exactOptional(),
  })
