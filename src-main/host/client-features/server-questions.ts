import { defined } from '../../../src-shared/base/defined.ts'
import type { InteractionId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { About, AnswerTo, InteractionKind, QuestionOf } from '../../../src-shared/contract/interactions.ts'
import { CancelledByServer, type Cause } from '../../protocol/peer/client-features.ts'
import { type CallInFlight, causeOf } from '../connection/calls-in-flight.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { type AskOptions, InteractionExpired, OPEN_LIMIT, TooManyQuestions } from '../core/interactions.ts'
import { unanswered } from '../core/unanswered.ts'
import type { Servers } from '../servers/servers.ts'
import { refusals } from './refusals.ts'

const MINUTE = 60_000

interface QuestionsParts extends Pick<HostCore, 'interactions' | 'clock'> {
  readonly servers: Servers
}

export interface AskContext {
  readonly about: About
  /** Aborts when the server cancels or disconnects, or the call that caused the question is stopped. */
  readonly signal: AbortSignal
  /** The call that caused it, if known. */
  readonly call?: CallInFlight
  readonly answeredByPerson?: () => void
}

/** Asks the person a server's questions, within limits and with their cause. */
export class ServerQuestions {
  readonly #parts: QuestionsParts
  readonly #times = new Map<ServerId, number[]>()

  constructor(parts: QuestionsParts) {
    this.#parts = parts
  }

  /**
   * Throws ProtocolError when the server is muted or asks too often: within a minute it may ask as many questions as may be open (SEC-24,
   * SAMP-29, ELIC-09).
   */
  admit(serverId: ServerId): void {
    if (this.#parts.servers.configured.find(serverId)?.record.options.muted) throw refusals.muted()
    const now = this.#parts.clock.now()
    const recent = (this.#times.get(serverId) ?? []).filter((at) => now - at < MINUTE)
    this.#times.set(serverId, recent)
    if (recent.length >= OPEN_LIMIT) throw refusals.rateLimited()
    recent.push(now)
  }

  forget(serverId: ServerId): void {
    this.#times.delete(serverId)
  }

  attributionOf(serverId: ServerId, cause: Cause): AskContext {
    const { configured, inFlight } = this.#parts.servers
    const call = inFlight.find(serverId, cause.requestId)
    const candidates = inFlight.among(serverId, cause.candidates)
    const { conversationId, toolCallId } = call?.origin ?? {}
    return {
      about: {
        serverId,
        serverName: configured.find(serverId)?.record.name ?? serverId,
        origin: 'server',
        ...defined({ conversationId, toolCallId }),
        cause: call ? causeOf(call) : guessedCause(candidates),
      },
      signal: call ? AbortSignal.any([cause.signal, call.signal]) : cause.signal,
      ...defined({ call, answeredByPerson: cause.answeredByPerson }),
    }
  }

  /** Like `Interactions.ask`, but throws ProtocolError for too many open questions. */
  async ask<K extends InteractionKind>(
    kind: K,
    { about, signal, call, answeredByPerson }: AskContext,
    question: QuestionOf<K>,
    options: AskOptions<K> = {},
  ): Promise<AnswerTo<K>> {
    let opened = false
    const onOpen = (id: InteractionId) => {
      opened = true
      options.onOpen?.(id)
    }
    try {
      const answer = await this.#parts.interactions.ask(kind, about, question, signal, { ...options, onOpen })
      answeredByPerson?.()
      return answer
    } catch (error) {
      if (opened && error instanceof CancelledByServer) call?.onUnanswered?.(unanswered(kind, 'stopped'))
      else if (error instanceof InteractionExpired) call?.onUnanswered?.(unanswered(kind, 'expired'))
      throw error instanceof TooManyQuestions ? refusals.tooManyOpen() : error
    }
  }
}

/** Names the possible causes without claiming one (TRAN-76). */
function guessedCause(candidates: readonly CallInFlight[]): string {
  if (candidates.length === 0) return 'Not caused by any known tool call.'
  const names = [...new Set(candidates.map(({ tool }) => `“${cut(tool, 60)}”`))]
  const shown = names.slice(0, 3).join(', ')
  return `Because of one of these calls: ${shown}${names.length > 3 ? ` and ${names.length - 3} more` : ''}.`
}
