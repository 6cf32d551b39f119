import type { ReactNode } from 'react'
import type { Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { duration, useNow } from '../../ui/time.ts'
import { afterClosing, waitingFor } from './waiting-for.ts'

interface TurnStatusProps {
  readonly conversationId: ConversationId
  readonly turn: Turn
  readonly toolCalls: ConversationTopic['toolCalls']
  readonly model: string
}

/** Problems of a provider's key or address, which the settings fix. */
const PROVIDER_PROBLEMS: ReadonlySet<string> = new Set(['no-key', 'unauthorized', 'unknown-model', 'unreachable', 'redirected'])

/** The reason that the turn waits, or ended early, and the remedies. */
export function TurnStatus({ conversationId, turn, toolCalls, model }: TurnStatusProps) {
  const interactions = useHost((mirror) => mirror.host.interactions)
  const servers = useHost((mirror) => mirror.host.servers)
  const goOn = (label: string) => (
    <Button size="small" onClick={() => void attempt(ask('turn.retry', { id: conversationId }))}>
      {label}
    </Button>
  )
  switch (turn.status) {
    case 'running':
      return (
        <Waiting turn={turn} text={(now) => waitingFor(turn, toolCalls, model, { interactions, servers }, now)}>
          {turn.waiting?.on === 'servers' ? (
            <Button size="small" onClick={() => void attempt(ask('turn.skipServers', { id: conversationId }))}>
              {turn.waiting.servers?.length === 1 ? 'Send without it' : 'Send without them'}
            </Button>
          ) : null}
        </Waiting>
      )
    case 'failed':
      return turn.problem ? (
        <ProblemCard
          problem={turn.problem}
          actions={
            <>
              {goOn('Retry')}
              {PROVIDER_PROBLEMS.has(turn.problem.code) ? (
                <a href={routeHash({ section: 'settings', id: 'models' })}>Model settings</a>
              ) : null}
            </>
          }
        />
      ) : (
        <div className="line">This reply failed. {goOn('Retry')}</div>
      )
    case 'interrupted':
      return (
        <ProblemCard
          level="warning"
          problem={
            turn.problem ?? {
              what: 'Parley closed during this reply.',
              todo: afterClosing(turn, toolCalls),
            }
          }
          actions={goOn('Continue')}
        />
      )
    case 'stopped':
      return (
        <div className="line">
          <span className="soft">Stopped.</span> {goOn('Continue')}
        </div>
      )
    case 'finished':
      return turn.problem ? <ProblemCard level="warning" problem={turn.problem} actions={goOn('Continue')} /> : null
  }
}

interface WaitingProps {
  readonly turn: Turn
  readonly text: (now: number) => string | undefined
  readonly children: ReactNode
}

/** The reason for waiting, shown after half a second. From three seconds on, the time, too. */
function Waiting({ turn, text: textAt, children }: WaitingProps) {
  const now = useNow(500)
  const text = textAt(now)
  if (text === undefined) return null
  const waited = now - (turn.waiting?.since ?? turn.startedAt)
  return (
    <div className="line meta">
      <span className="turn-pulse" aria-hidden="true" />
      {waited < 500 ? 'Working' : text}
      {waited >= 3000 && !turn.waiting?.retry ? `, ${duration(waited)}` : ''}
      {waited < 500 ? null : children}
    </div>
  )
}
