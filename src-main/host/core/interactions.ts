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
 * Open questions per server and origin: as many as the requests that a server may have open, so that no request is let in and then
 * refused. Past it a server's request is refused with an error.
 */
export const OPEN_LIMIT = DEFAULT_LIMITS.maxServerRequests

/** Nobody answered within the question's life. */
export class InteractionExpired extends Error {
  constructor() {
    super('No answer in time.')
    this.name = 'InteractionExpired'
  }
}

/** Too many questions of this server are open already. */
export class TooManyQuestions extends Error {
  constructor() {
    super('Too many open questions.')
    this.name = 'TooManyQuestions'
  }
}

interface Open {
  readonly about: About
  readonly kind: InteractionKind
  /** Follows from one that was answered: it takes no room of its own. */
  readonly continues: boolean
  /** Why an answer is not acceptable; undefined when it is. */
  readonly check: (answer: AnyAnswer) => string | undefined
  readonly answered: (answer: AnyAnswer, outcome: InteractionOutcome) => void
}

type AnyAnswer = AnswerTo<InteractionKind>

export interface AskOptions<K extends InteractionKind> {
  readonly check?: (answer: AnswerTo<K>) => string | undefined
  readonly onOpen?: (id: InteractionId) => void
  readonly continues?: boolean
  /** Its initial draft, as if it had been typed. */
  readonly draft?: JsonValue
}

/** Every question the host asks a person: data in the snapshot, owned here, ended always (decision 0003). */
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
   * Asks and waits. Rejects with the signal's reason when its cause ends, InteractionExpired when its life is over,
   * TooManyQuestions at once when this server has too many open, unless it `continues` an answered one. `check` judges what the
   * schema of its kind cannot; `onOpen` tells its id, by which it can be changed.
   */
  ask<K extends InteractionKind>(
    kind: K,
    about: About,
    question: QuestionOf<K>,
    signal: AbortSignal,
    options: AskOptions<K> = {},
  ): Promise<AnswerTo<K>> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (!options.continues && this.#full(about)) return Promise.reject(new TooManyQuestions())
    const id = randomUUID() as InteractionId
    const askedAt = this.#clock.now()
    const life = this.#state.snapshot.settings.questionLife
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
        reject(new InteractionExpired())
      })
      signal.addEventListener('abort', withdraw, { once: true })
      this.#open.set(id, {
        about,
        kind,
        continues: options.continues ?? false,
        // The kind was compared before either is called, so the answer is of this kind.
        check: (answer) => options.check?.(answer as AnswerTo<K>),
        answered: (answer, outcome) => {
          close(outcome)
          resolve(answer as AnswerTo<K>)
        },
      })
      // The union of interactions is indexed by K, which TypeScript cannot follow through a generic.
      const asked = { id, kind, about, askedAt, endsAt: askedAt + life, question }
      const { draft } = options
      const interaction = { ...asked, ...(draft !== undefined && { draft }) } as unknown as Interaction
      this.#state.emit({ type: 'interaction.opened', interaction })
      options.onOpen?.(id)
    })
  }

  /** True when it was the first valid answer; false when the question is closed. Throws `invalid-answer`, and the question stays. */
  answer(answer: Answer): boolean {
    const open = this.#open.get(answer.id)
    if (!open) return false
    const wrong = open.kind === answer.kind ? open.check(answer.answer) : `This is a ${open.kind} question.`
    if (wrong) throw new HostError('invalid-answer', wrong)
    open.answered(answer.answer, 'answered')
    return true
  }

  /** Puts another question of the same kind in its place; nothing happens when it is closed. */
  change<K extends InteractionKind>(id: InteractionId, kind: K, question: QuestionOf<K>): void {
    if (this.#open.get(id)?.kind === kind) this.#state.emit({ type: 'interaction.changed', id, question })
  }

  /** Appends text to the reply that an open question shows. */
  grow(id: InteractionId, text: string): void {
    if (this.#open.has(id)) this.#state.emit({ type: 'interaction.grew', id, text })
  }

  /**
   * Keeps what was typed so far, in memory, for every window and until the question ends. The draft of a form is an object by
   * field name; what stands in fields that look like secrets is dropped.
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

  /** Answers every open question of a server with its kind's no; returns how many. One about several servers is not its own. */
  declineAll(serverId: ServerId): number {
    const open = [...this.#open.values()].filter(({ about, kind }) => about.serverId === serverId && kind !== 'servers-trust')
    for (const { kind, answered } of open) answered(REFUSALS[kind], 'answered')
    return open.length
  }

  /** Resolves when one more question of this server and origin may be asked: what the model asks for waits, it is not refused. */
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
  // Leaving members out of JSON leaves JSON.
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !open.question.secrets.includes(name))) as JsonValue
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : 'The call that needed it ended.'
}
