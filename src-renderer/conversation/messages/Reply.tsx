import { Fragment, memo, useMemo } from 'react'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { CallRun } from '../calls/CallRun.tsx'
import type { CallStep } from '../calls/call-groups.ts'
import { MessageOrigin, PartView } from './PartView.tsx'
import { ReplyFoot, type ReplyFootProps } from './ReplyFoot.tsx'
import { replyPieces } from './reply-pieces.ts'

/** Few replies have an offer. */
const ServerOff = onDemand(() => import('./ServerOff.tsx').then((module) => module.ServerOff))
const FoldersWanted = onDemand(() => import('../../forms/folders/FoldersWanted.tsx').then((module) => module.FoldersWanted))
const ToolsUnmet = onDemand(() => import('../../powers/ToolsUnmet.tsx').then((module) => module.ToolsUnmet))

export interface ReplyProps extends Omit<ReplyFootProps, 'last'> {
  /** The calls of its parts, in their order. */
  readonly calls: readonly ToolCall[]
  readonly questionOpen: boolean
  /** `under-way`: more is to come. `last`: it can be retried. */
  readonly place: 'under-way' | 'before' | 'last'
  /** The status below the reply says how the turn ended. */
  readonly statusBelow: boolean
}

function sameProps(before: ReplyProps, now: ReplyProps): boolean {
  const { messages, earlier, calls, ...rest } = before
  return (
    same(messages, now.messages) &&
    same(earlier, now.earlier) &&
    same(calls, now.calls) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === now[name])
  )
}

const same = <T,>(before: readonly T[], now: readonly T[]) =>
  before.length === now.length && before.every((one, index) => one === now[index])

/** All messages and calls of the model in one turn, shown as one reply. */
export const Reply = memo(function Reply(props: ReplyProps) {
  const { conversationId, messages, earlier, calls, author, questionOpen, place, statusBelow, versions, hold } = props
  const [first] = messages
  const last = messages.at(-1) ?? first
  const pieces = useMemo(() => replyPieces(messages, new Map(calls.map((call) => [call.id, call]))), [messages, calls])
  const rounds = useMemo(() => [...earlier, ...messages].map(({ id }) => id), [earlier, messages])
  const roundOf = ({ message }: CallStep) => rounds.indexOf(message.id) + 1
  return (
    <article
      className="message column-1"
      id={`message-${first.id}`}
      aria-label={author}
      aria-busy={last.status === 'streaming' || undefined}
      style={last.status === 'streaming' ? undefined : { containIntrinsicHeight: `auto ${assumedHeight(messages)}px` }}
    >
      <div className="message-head row">
        <span className="strong">{author}</span>
        <span className="meta">
          <RelativeTime at={first.at} />
        </span>
      </div>
      <MessageOrigin message={first} />
      <div className="message-parts column-3">
        {pieces.map((piece) =>
          piece.is === 'calls' ? (
            <CallRun
              key={piece.key}
              conversationId={conversationId}
              groups={piece.groups}
              roundOf={roundOf}
              questionOpen={questionOpen}
            />
          ) : piece.is === 'part' ? (
            <PartView
              key={piece.key}
              conversationId={conversationId}
              by="assistant"
              part={piece.part}
              serverId={piece.message.origin?.serverId}
            />
          ) : (
            <Ending key={piece.key} message={piece.message} statusBelow={statusBelow} />
          ),
        )}
        {last.status === 'streaming' && last.parts.length === 0 ? <span className="message-cursor" aria-hidden="true" /> : null}
      </div>
      {place === 'before' ? null : (
        <div className="message-offer">
          {serversOff(calls).map((serverId) => (
            <ServerOff key={serverId} serverId={serverId} quiet={questionOpen} />
          ))}
          {[...new Set(calls.map(({ serverId }) => serverId))].map((serverId) =>
            serverId === undefined ? null : (
              <Fragment key={serverId}>
                <FoldersWanted serverId={serverId} turnId={first.turnId} quiet={questionOpen} />
                {place === 'last' ? <ToolsUnmet serverId={serverId} quiet={questionOpen} /> : null}
              </Fragment>
            ),
          )}
        </div>
      )}
      {place === 'under-way' ? null : (
        <ReplyFoot
          conversationId={conversationId}
          messages={messages}
          earlier={earlier}
          last={place === 'last'}
          versions={versions}
          author={author}
          hold={hold}
        />
      )}
    </article>
  )
}, sameProps)

/** Ids in an imported conversation are of servers elsewhere. */
const serversOff = (calls: readonly ToolCall[]) => [
  ...new Set(calls.flatMap(({ foundOff, imported }) => (imported ? [] : (foundOff ?? [])))),
]

/**
 * The assumed height in pixels until the browser has laid the reply out. When it is too small, the browser lays out many more
 * messages at once than it shows.
 */
function assumedHeight(messages: readonly Message[]): number {
  const parts = messages.flatMap((message) => message.parts)
  const height = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length * 0.45 : 36), 60)
  return Math.min(4000, Math.round(height))
}

function Ending({ message, statusBelow }: { readonly message: Message; readonly statusBelow: boolean }) {
  return (
    <>
      {message.status === 'stopped' && !statusBelow ? <div className="meta">Stopped.</div> : null}
      <ProblemCard problem={statusBelow ? undefined : message.problem} />
    </>
  )
}
