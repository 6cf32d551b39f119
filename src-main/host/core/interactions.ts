import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import { INLINE_LIMIT } from '../../../src-shared/contract/blobs.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { InteractionId, ServerId } from '../../../src-shared/contract/ids.ts'
import {
  type About,
  type Answer,
  type AnswerTo,
  type Interaction,
  type InteractionKind,
  type InteractionOutcome,
  type QuestionOf,
  REFUSALS,
} from '../../../src-shared/contract/interactions.ts'
import { DEFAULT_LIMITS } from '../../protocol/shapes/limits.ts'
import type { HostState } from './host-state.ts'

/**
 * Open questions per server and origin. Past it a server's request is refused. It equals the limit of a server's open requests, so that
 * no request is admitted and then refused here.
 */
export const OPEN_LIMIT = DEFAULT_LIMITS.maxServerRequests

/** Milliseconds for which a question of a schedule's run waits. */
const SCHEDULED_QUESTION_LIFE = 7 * 24 * 60 * 60_000

export class InteractionExpired extends Error {}
export class TooManyQuestions extends Error {}

interface Open {
  readonly about: About
  readonly kind: InteractionKind
  /** Follows an answered question, and does not count against the limit. */
  readonly continues: boolean
  /** The reason to reject an answer; undefined to accept it. */
  readonly check: (answer: AnyAnswer) => string | undefined
  readonly answered: (answer: AnyAnswer, outcome: InteractionOutcome) => void
}

type AnyAnswer = AnswerTo<InteractionKind>

export interface AskOptions<K extends InteractionKind> {
  readonly check?: (answer: AnswerTo<K>) => string | undefined
  readonly onOpen?: (id: InteractionId) => void
  readonly continues?: boolean
  /** Initial draft, as if it had been typed. */
  readonly draft?: JsonValue
}

/** Every question of the host to a person, as data in the snapshot that always ends (decision 0003). */
export class Interactions {
  readonly #state: HostState
  readonly #clock: Clock
  readonly #open = new Map<InteractionId, Open>()
  readonly #closed = new Emitter<void>()

  constructor(parts: { state: HostState; clock: Clock }) {
    this.#state = parts.state
    this.#clock = parts.clock
  }

  /**
   * Asks and waits. Rejects with the signal's reason when the signal aborts, and with InteractionExpired when nobody answers in time.
   * Rejects at once with TooManyQuestions when this server has too many open; a question that `continues` an answered one may be asked.
   * `check` judges what the schema of the kind cannot; `onOpen` receives the id, by which the question can be changed.
   */
  ask<K extends InteractionKind>(
    kind: K,
    about: About,
    question: QuestionOf<K>,
    signal: AbortSignal,
    options: AskOptions<K> = {},
  ): Promise<AnswerTo<K>> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (!options.continues && this.#full(about)) return Promise.reject(new TooManyQuestions('Too many open questions.'))
    const id = randomUUID() as InteractionId
    const askedAt = this.#clock.now()
    const life = this.#lifeOf(about)
    return new Promise((resolve, reject) => {
      const close = (outcome: InteractionOutcome, why?: string) => {
        this.#open.delete(id)
        stopWaiting()
        signal.removeEventListener('abort', withdraw)
        this.#state.emit({ type: 'interaction.closed', id, outcome, ...(why && { why }) })
        this.#closed.fire()
      }
      const withdraw = () => {
        close('withdrawn', reasonOf(signal))
        reject(signal.reason)
      }
      const stopWaiting = this.#clock.after(life, () => {
        close('expired', 'No answer in time.')
        reject(new InteractionExpired('No answer in time.'))
      })
      signal.addEventListener('abort', withdraw, { once: true })
      this.#open.set(id, {
        about,
        kind,
        continues: options.continues ?? false,
        // `answer` compares the kinds first, so the answer is of this kind.
        check: (answer) => options.check?.(answer as AnswerTo<K>),
        answered: (answer, outcome) => {
          close(outcome)
          resolve(answer as AnswerTo<K>)
        },
      })
      // TypeScript cannot follow the union of interactions through the generic K.
      const asked = { id, kind, about, askedAt, endsAt: askedAt + life, question }
      const { draft } = options
      const interaction = { ...asked, ...(draft !== undefined && { draft }) } as unknown as Interaction
      this.#state.emit({ type: 'interaction.opened', interaction })
      options.onOpen?.(id)
    })
  }

  /** True for the first valid answer; false when the question is closed. Throws `invalid-answer`, and the question stays open. */
  answer(answer: Answer): boolean {
    const open = this.#open.get(answer.id)
    if (!open) return false
    const wrong = open.kind === answer.kind ? open.check(answer.answer) : `This is a ${open.kind} question.`
    if (wrong) throw new HostError('invalid-answer', wrong)
    open.answered(answer.answer, 'answered')
    return true
  }

  /** Replaces an open question with another of the same kind. */
  change<K extends InteractionKind>(id: InteractionId, kind: K, question: QuestionOf<K>): void {
    if (this.#open.get(id)?.kind === kind) this.#state.emit({ type: 'interaction.changed', id, question })
  }

  /** Appends text to the reply that an open question shows. */
  grow(id: InteractionId, text: string): void {
    if (this.#open.has(id)) this.#state.emit({ type: 'interaction.grew', id, text })
  }

  /**
   * Keeps the typed text in memory, for every window, until the question ends. A form's draft is an object by field name, without the
   * fields that look like secrets.
   */
  draft(id: InteractionId, typed: JsonValue): void {
    if (!this.#open.has(id)) return
    const draft = withoutSecrets(
      this.#state.snapshot.interactions.find((open) => open.id === id),
      typed,
    )
    if (JSON.stringify(draft).length > INLINE_LIMIT) throw new HostError('invalid-params', 'The draft is too long to save.')
    this.#state.emit({ type: 'interaction.drafted', id, draft })
  }

  /** Refuses every open question of a server and returns their number. A question about several servers stays. */
  declineAll(serverId: ServerId): number {
    const open = [...this.#open.values()].filter(({ about, kind }) => about.serverId === serverId && kind !== 'servers-trust')
    for (const { kind, answered } of open) answered(REFUSALS[kind], 'answered')
    return open.length
  }

  /** Resolves when this server and origin may ask one more question, so that a model's calls wait and are not refused. */
  async room(about: Pick<About, 'serverId' | 'origin'>, signal: AbortSignal): Promise<void> {
    while (this.#full(about)) {
      await new Promise<void>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const settle = () => {
          undo()
          signal.removeEventListener('abort', settle)
          signal.aborted ? reject(signal.reason) : resolve()
        }
        const undo = this.#closed.on(settle)
        signal.addEventListener('abort', settle, { once: true })
      })
    }
  }

  /** Milliseconds; nobody is expected at the run of a schedule. */
  #lifeOf({ conversationId }: About): number {
    const { conversations, settings } = this.#state.snapshot
    const isScheduled = conversations.some(({ id, schedule }) => id === conversationId && schedule !== undefined)
    return isScheduled ? SCHEDULED_QUESTION_LIFE : settings.questionLife
  }

  #full({ serverId, origin }: Pick<About, 'serverId' | 'origin'>): boolean {
    let same = 0
    for (const { about, continues } of this.#open.values()) {
      if (!continues && about.serverId === serverId && about.origin === origin) same += 1
    }
    return same >= OPEN_LIMIT
  }
}

function withoutSecrets(open: Interaction | undefined, draft: JsonValue): JsonValue {
  if (open?.kind !== 'elicitation-form' || open.question.secrets.length === 0) return draft
  if (!isObject(draft)) return null
  // JSON without some of its members is still JSON.
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !open.question.secrets.includes(name))) as JsonValue
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : 'The call that needed it ended.'
}
