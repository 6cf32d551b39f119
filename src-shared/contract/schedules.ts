import { z } from 'zod'
import type { Range } from '../base/range.ts'
import type { Problem } from './errors.ts'
import type { ConversationId, ProjectId, ScheduleId, ServerId } from './ids.ts'
import { type Given, id, text, whole } from './schema-parts.ts'
import { modelRef } from './settings.ts'

export const SCHEDULE_LIMIT = 50
/** Characters; a name is one line. */
export const SCHEDULE_NAME_LENGTH = 80
const PROMPT_LENGTH = 20_000
/** Runs that the history of one schedule keeps. */
export const RUNS_KEPT = 50

/** Tokens of one run, sent and received. */
export const RUN_TOKENS: Range = { least: 1_000, most: 10_000_000 }
/** Minutes of one run, without those in which it waits for the person. */
export const RUN_MINUTES: Range = { least: 1, most: 24 * 60 }
/** Minutes from one start to the next. */
export const EVERY_MINUTES: Range = { least: 5, most: 31 * 24 * 60 }

export type ScheduleTime = Given<typeof scheduleTime>
const scheduleTime = () =>
  z.discriminatedUnion('is', [
    /** Wall time of this computer: the minute of the day, and the days of the week from Sunday, 0. */
    z.strictObject({
      is: z.literal('at'),
      minute: whole({ least: 0, most: 24 * 60 - 1 }),
      days: z
        .array(whole({ least: 0, most: 6 }))
        .min(1)
        .max(7),
    }),
    /** After the last start. */
    z.strictObject({ is: z.literal('every'), minutes: whole(EVERY_MINUTES) }),
  ])

/** A prompt that is sent by itself, as the person wrote it. */
export type ScheduleConfig = Given<typeof scheduleConfig>
export const scheduleConfig = () =>
  z.strictObject({
    /** The first line of the prompt when empty. */
    name: text(SCHEDULE_NAME_LENGTH),
    prompt: text(PROMPT_LENGTH),
    time: scheduleTime(),
    project: id<ProjectId>().nullable(),
    /** Null for the one of a new conversation. */
    model: modelRef().nullable(),
    /** All that it may use; every other server is off. */
    servers: z.array(id<ServerId>()).max(200),
    tokens: whole(RUN_TOKENS),
    minutes: whole(RUN_MINUTES),
    /** Runs that were due while Parley was closed or the computer slept: one makes up for all, or none does. */
    missed: z.enum(['once', 'skip']),
  })

export interface ScheduleRun {
  readonly is: 'running' | 'finished' | 'failed' | 'stopped' | 'interrupted' | 'missed' | 'skipped'
  /** The start, or the time at which the first missed or skipped one was due. */
  readonly at: number
  /** Absent for missed and skipped ones. */
  readonly conversation?: ConversationId
  readonly tokens?: number
  /** Why it did not finish. */
  readonly problem?: Problem
  /** The number of missed or skipped ones in a row. */
  readonly times?: number
}

export type SchedulePause =
  | { readonly is: 'person' }
  /** It came with a backup of another data folder. Saving it makes its prompt the person's own. */
  | { readonly is: 'restored' }
  /** Something that it needs was removed, as a sentence. */
  | { readonly is: 'missing'; readonly what: string }

/** A schedule in the snapshot; `schedule.read` gives all of it. */
export interface ScheduleHead {
  readonly id: ScheduleId
  readonly name: string
  readonly time: ScheduleTime
  /** Absent while paused. */
  readonly next?: number
  readonly paused?: SchedulePause
  readonly last?: ScheduleRun
}

export interface Schedule extends ScheduleHead {
  readonly config: ScheduleConfig
  /** Newest first. */
  readonly runs: readonly ScheduleRun[]
}
