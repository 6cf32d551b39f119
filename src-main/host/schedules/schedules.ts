import { randomUUID } from 'node:crypto'
import { every } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ScheduleId } from '../../../src-shared/contract/ids.ts'
import {
  RUNS_KEPT,
  SCHEDULE_LIMIT,
  type Schedule,
  type ScheduleConfig,
  type ScheduleHead,
  type SchedulePause,
  type ScheduleRun,
  scheduleConfig,
} from '../../../src-shared/contract/schedules.ts'
import type { StoredSchedule } from '../../storage/base/storage.ts'
import type { Conversation } from '../conversations/conversation.ts'
import type { Conversations } from '../conversations/conversations.ts'
import { titleOf } from '../conversations/person-message.ts'
import { tokensOf } from '../conversations/turn.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { Projects } from '../projects/projects.ts'
import type { Servers } from '../servers/servers.ts'
import { serversSettled } from '../servers/settled-servers.ts'
import { type Due, dueNow, nextRun, wasSetBack } from './due.ts'
import { limitTime } from './limit-time.ts'

/** Milliseconds between looks at the clock. A computer that slept, or was given another time, is noticed at the next. */
const LOOK_EVERY = 15_000
/** Milliseconds without a look after which the computer slept. */
const SLEPT = 4 * LOOK_EVERY
/** Milliseconds after a sleep, or the start, in which networks and servers come back before anything runs. */
const WAKING = 30_000

interface SchedulesParts extends Pick<HostCore, 'storage' | 'state' | 'clock' | 'lifetime' | 'platform'> {
  readonly conversations: Conversations
  readonly projects: Projects
  readonly servers: Servers
}

/** Prompts that are sent by themselves (decision 0049). Each run is a conversation, and nothing is allowed that no rule allows. */
export class Schedules {
  readonly #parts: SchedulesParts
  readonly #lifetime: Lifetime
  readonly #kept: KeptRecords<'schedule'>
  /** Looks at what is due and starts, so that nothing starts twice. */
  readonly #starts = new InTurn()
  /** Runs whose turn is about to begin. */
  readonly #beginning = new Set<ConversationId>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #wokeAt = 0

  constructor(parts: SchedulesParts) {
    this.#parts = parts
    this.#lifetime = new Lifetime('schedules', parts.lifetime)
    this.#kept = new KeptRecords(parts.storage.records, 'schedule', { onChange: () => this.#show(), canRestore: true })
  }

  async load(): Promise<void> {
    await this.#kept.load((stored) => (scheduleConfig().safeParse(stored.config).success ? stored : undefined))
  }

  /** Goes on with the runs that the end of the last host interrupted, and begins to look at the clock. */
  start(): void {
    const { state, clock } = this.#parts
    const undo = state.onEvent((_seq, event) => {
      if (event.type === 'conversation.changed' && event.head.schedule !== undefined && event.head.turn === 'idle')
        this.#attempt(this.#ended(event.head.id))
    })
    const stop = every(clock, LOOK_EVERY, () => this.#attempt(this.look()))
    this.#lifetime.onEnd(() => {
      undo()
      stop()
    })
    for (const id of this.#ids()) {
      const run = this.#runOf(id)
      if (run) this.#attempt(this.#resume(id, run))
    }
    this.#attempt(this.look())
  }

  /** From here on no run begins, and those that run stay marked as running, so that the next host goes on with them. */
  end(): Promise<void> {
    return this.#lifetime.end()
  }

  /** Begins what is due. */
  look(): Promise<void> {
    const now = this.#parts.clock.now()
    if (Math.abs(now - this.#lookedAt) > SLEPT) this.#wokeAt = now
    this.#lookedAt = now
    return this.#starts.run(async () => {
      for (const id of this.#ids()) await this.#lookAt(id)
    })
  }

  async add(config: ScheduleConfig): Promise<{ id: ScheduleId }> {
    if (this.#kept.size >= SCHEDULE_LIMIT) throw new HostError('refused', `You already have ${SCHEDULE_LIMIT} schedules.`)
    const id = randomUUID() as ScheduleId
    await this.#kept.put(id, { config: this.#checked(config), from: this.#parts.clock.now(), runs: [] })
    return { id }
  }

  async change(id: ScheduleId, config: ScheduleConfig): Promise<void> {
    this.#existing(id)
    const checked = this.#checked(config)
    await this.#change(id, ({ paused, ...kept }) => ({
      ...kept,
      config: checked,
      from: this.#parts.clock.now(),
      ...(paused?.is === 'person' && { paused }),
    }))
  }

  read(id: ScheduleId): Schedule {
    const { config, runs } = this.#existing(id)
    return { ...this.#head(id), config, runs }
  }

  async pause(id: ScheduleId, paused: boolean): Promise<void> {
    const { config, paused: before } = this.#existing(id)
    if (paused) return this.#change(id, (kept) => ({ ...kept, paused: { is: 'person' } }))
    this.#askForOwn(before)
    const missing = this.#missing(config)
    if (missing !== undefined) throw new HostError('refused', `${missing} Edit the schedule first.`)
    await this.#change(id, ({ paused: _paused, ...kept }) => ({ ...kept, from: this.#parts.clock.now() }))
  }

  runNow(id: ScheduleId): Promise<{ id: ConversationId }> {
    return this.#starts.run(async () => {
      const { config, paused } = this.#existing(id)
      this.#askForOwn(paused)
      if (await this.#goesOn(id)) throw new HostError('conflict', 'It is running, or waits for your answer.')
      const missing = this.#missing(config)
      if (missing !== undefined) throw new HostError('refused', `${missing} Edit the schedule first.`)
      return { id: await this.#begin(id) }
    })
  }

  /** A run goes on. */
  async remove(id: ScheduleId): Promise<void> {
    this.#existing(id)
    await this.#kept.remove(id)
  }

  async restore(id: ScheduleId): Promise<void> {
    const restored = await this.#kept.restore(id, (stored) => ({ ...stored, from: this.#parts.clock.now() }))
    if (!restored) throw new HostError('not-found', 'This schedule cannot be brought back.')
  }

  async #lookAt(id: ScheduleId): Promise<void> {
    const stored = this.#kept.get(id)
    if (!stored || stored.paused || this.#lifetime.ended) return
    const { config, from } = stored
    const now = this.#parts.clock.now()
    if (wasSetBack(from, now)) return this.#change(id, (kept) => ({ ...kept, from: now }))
    const due = dueNow(config.time, from, now)
    if (!due || now - this.#wokeAt < WAKING) return
    if (await this.#goesOn(id)) return this.#skip(id, due)
    const runs = !due.isLate || config.missed === 'once'
    if (due.missed > 0) await this.#miss(id, due, runs)
    if (!runs) return this.#change(id, (kept) => ({ ...kept, from: now }))
    const missing = this.#missing(config)
    if (missing === undefined) await this.#begin(id)
    else await this.#pauseFor(id, missing)
  }

  /** Saves the run before it sends, so that no crash starts it twice. */
  async #begin(id: ScheduleId): Promise<ConversationId> {
    const { conversations, clock } = this.#parts
    const { config } = this.#existing(id)
    const { id: conversation } = await conversations.create({
      schedule: id,
      title: config.name,
      ...(config.project !== null && { project: config.project }),
      ...(config.model !== null && { model: config.model }),
    })
    const now = clock.now()
    await this.#change(id, (kept) => ({ ...withRun(kept, { is: 'running', at: now, conversation }), from: now }))
    this.#attempt(this.#run(id, conversation, config))
    return conversation
  }

  #run(id: ScheduleId, conversation: ConversationId, config: ScheduleConfig): Promise<void> {
    return this.#within(id, conversation, config, async (one) => {
      const off = Object.values(this.#parts.state.snapshot.servers).filter((server) => !config.servers.includes(server.id))
      const { tools = [], skills } = one.switches ?? {}
      await one.setSwitches({ servers: off.map((server) => server.id), tools, ...(skills && { skills }) })
      await serversSettled(this.#parts, one.allSwitches, this.#lifetime.signal, true)
      await one.begin((write) => one.say(write, config.prompt, { kept: [], tokens: config.tokens }))
    })
  }

  async #resume(id: ScheduleId, conversation: ConversationId): Promise<void> {
    const { storage } = this.#parts
    const { config } = this.#existing(id)
    // Without a turn Parley ended before the prompt was sent.
    if (!(await storage.messages.latestTurn(conversation))) return this.#run(id, conversation, config)
    await this.#within(id, conversation, config, async (one) => {
      await serversSettled(this.#parts, one.allSwitches, this.#lifetime.signal, true)
      await one.retry(config.tokens)
    })
  }

  /** Begins a turn within the limit of time. Nothing is recorded while the host ends: the run goes on with the next. */
  async #within(
    id: ScheduleId,
    conversation: ConversationId,
    { minutes }: ScheduleConfig,
    begin: (one: Conversation) => Promise<unknown>,
  ): Promise<void> {
    const { conversations } = this.#parts
    const parts = { ...this.#parts, lifetime: this.#lifetime }
    const onOver = (problem: Problem) => this.#attempt(conversations.open(conversation, (one) => one.cancel(problem)))
    const stop = limitTime(parts, conversation, minutes, onOver)
    this.#beginning.add(conversation)
    try {
      await conversations.open(conversation, begin)
    } catch (error) {
      stop()
      if (this.#lifetime.ended) return
      const what = error instanceof Error ? error.message : String(error)
      await this.#close(id, conversation, { is: 'failed', problem: { code: 'run-failed', what } })
    } finally {
      this.#beginning.delete(conversation)
    }
  }

  /** Takes the end of a run from its conversation, also of one that the person went on with. */
  async #ended(conversation: ConversationId): Promise<void> {
    const id = this.#ids().find((one) => this.#kept.get(one)?.runs.some((run) => run.conversation === conversation))
    const turn = id && (await this.#parts.storage.messages.latestTurn(conversation))
    if (!id || !turn || turn.status === 'running' || this.#lifetime.ended) return
    const tokens = tokensOf(await this.#parts.storage.messages.transcript(conversation), turn.id)
    const { status, problem } = turn
    await this.#close(id, conversation, { is: status, tokens, ...(problem && { problem }) })
  }

  async #close(id: ScheduleId, conversation: ConversationId, end: Omit<ScheduleRun, 'at' | 'conversation'>): Promise<void> {
    const before = this.#kept.get(id)?.runs.find((run) => run.conversation === conversation)
    if (!before) return
    const { at } = before
    await this.#change(id, (kept) => ({
      ...kept,
      runs: kept.runs.map((run) => (run.conversation === conversation ? { at, conversation, ...end } : run)),
    }))
    if (before.is !== 'running') return
    const { conversations, platform } = this.#parts
    const { name } = this.#existing(id).config
    const body = end.is === 'finished' ? 'It has run.' : (end.problem?.what ?? 'It did not finish.')
    platform.notify?.({ title: name, body, about: { is: 'conversation', id: conversation } })
    // Runs that went well are in the history and the archive, so that they do not bury the person's own conversations.
    if (end.is === 'finished') await conversations.open(conversation, (one) => one.archive(true))
  }

  async #skip(id: ScheduleId, { since, missed, isLate }: Due): Promise<void> {
    const times = isLate ? missed : missed + 1
    const now = this.#parts.clock.now()
    await this.#change(id, (kept) => {
      const [last, ...others] = kept.runs
      if (last?.is === 'skipped') return { ...kept, from: now, runs: [{ ...last, times: (last.times ?? 1) + times }, ...others] }
      return { ...withRun(kept, { is: 'skipped', at: since, times }), from: now }
    })
    this.#tell(id, 'was due while its last run was still running or waiting for you.', 'It was skipped.')
  }

  async #miss(id: ScheduleId, { since, missed }: Due, runs: boolean): Promise<void> {
    await this.#change(id, (kept) => withRun(kept, { is: 'missed', at: since, times: missed }))
    const what = missed === 1 ? 'was due' : `was due ${missed} times`
    this.#tell(id, `${what} while Parley was closed or the computer slept.`, runs ? 'It runs now.' : 'It was left out.')
  }

  async #pauseFor(id: ScheduleId, what: string): Promise<void> {
    await this.#change(id, (kept) => ({ ...kept, paused: { is: 'missing', what } }))
    this.#tell(id, `is paused. ${what}`, 'Edit it in Settings, Schedules.')
  }

  #tell(id: ScheduleId, what: string, todo: string): void {
    const { state, clock } = this.#parts
    const { name } = this.#existing(id).config
    state.notice('info', { code: `schedule ${id}`, what: `“${name}” ${what}`, todo }, clock.now())
  }

  /** A sentence about the first thing that is gone. */
  #missing({ project, model, servers }: ScheduleConfig): string | undefined {
    const { snapshot } = this.#parts.state
    if (project !== null && !this.#parts.projects.find(project)) return 'Its project was removed.'
    if (model !== null && !snapshot.providers.some(({ id }) => id === model.provider))
      return 'The provider of its model was removed.'
    const gone = servers.find((server) => !snapshot.servers[server])
    return gone === undefined ? undefined : `Its server “${gone}” was removed.`
  }

  #checked(config: ScheduleConfig): ScheduleConfig {
    const name = titleOf(config.name) || titleOf(config.prompt)
    if (config.prompt.trim() === '') throw new HostError('invalid-params', 'A schedule needs a prompt.')
    const missing = this.#missing(config)
    if (missing !== undefined) throw new HostError('invalid-params', missing)
    return { ...config, name }
  }

  #askForOwn(paused: SchedulePause | undefined): void {
    if (paused?.is === 'restored') throw new HostError('refused', 'It came with a backup. Read it and save it first.')
  }

  /** The conversation of its run whose end is not known. */
  #runOf(id: ScheduleId): ConversationId | undefined {
    return this.#kept.get(id)?.runs.find(({ is }) => is === 'running')?.conversation
  }

  /** True if a run of it works, or waits for the person. One whose end was not noticed is closed. */
  async #goesOn(id: ScheduleId): Promise<boolean> {
    const conversation = this.#runOf(id)
    if (conversation === undefined) return false
    if (this.#beginning.has(conversation)) return true
    if (this.#parts.conversations.find(conversation)?.head.turn === 'running') return true
    await this.#close(id, conversation, { is: 'interrupted' })
    return false
  }

  /** A failure is told, unless the host ends. */
  #attempt(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (this.#lifetime.ended) return
      const problem = { code: 'schedules', what: 'A schedule could not continue.', said: String(error) }
      this.#parts.state.notice('warning', problem, this.#parts.clock.now())
    })
  }

  #existing(id: ScheduleId): StoredSchedule {
    const stored = this.#kept.get(id)
    if (!stored) throw new HostError('not-found', 'This schedule no longer exists.')
    return stored
  }

  #change(id: ScheduleId, to: (stored: StoredSchedule) => StoredSchedule): Promise<void> {
    if (!this.#kept.has(id)) return Promise.resolve()
    return this.#kept.update(id, (now) => to(now ?? this.#existing(id)))
  }

  #ids(): readonly ScheduleId[] {
    return this.#kept.keys() as readonly ScheduleId[]
  }

  #head(id: ScheduleId): ScheduleHead {
    const { config, from, paused, runs } = this.#existing(id)
    const [last] = runs
    return {
      id,
      name: config.name,
      time: config.time,
      ...(paused ? { paused } : { next: nextRun(config.time, from) }),
      ...(last && { last }),
    }
  }

  #show(): void {
    const heads = this.#ids().map((id) => this.#head(id))
    const schedules = heads.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
    this.#parts.state.emit({ type: 'schedules.changed', schedules })
  }
}

function withRun(stored: StoredSchedule, run: ScheduleRun): StoredSchedule {
  return { ...stored, runs: [run, ...stored.runs].slice(0, RUNS_KEPT) }
}
