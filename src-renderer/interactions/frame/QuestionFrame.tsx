import { type ReactNode, type RefObject, useRef } from 'react'
import type { Interaction } from '../../../src-shared/contract/interactions.ts'
import { CallLink } from '../../content/CallLink.tsx'
import { routeHash } from '../../state/route.ts'
import { setAside } from '../../state/view-store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Granted } from '../../ui/grants/use-grant.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useAnswerKeys } from './answer-keys.ts'
import './interactions.css'

export interface QuestionFrameProps {
  readonly interaction: Interaction
  /** The name of the dialog, a promise to screen readers. */
  readonly title: string
  readonly modal: boolean
  /** The choice that changes nothing; it gets the focus. */
  readonly safe: RefObject<HTMLElement | null>
  /** The question in one sentence; the reason for it, in its own element, where the cause is folded. */
  readonly sentence: ReactNode
  /** Exactly what it is about. */
  readonly children: ReactNode
  /** The asking server with more about it, where the one that the question is filed under is not enough. */
  readonly speaker?: ReactNode
  /** The cause is under "Why am I asked?", as it always is where the question stands below the call that is its cause. */
  readonly causeFolded?: boolean
  /** Beside "Why am I asked?": what else can be unfolded. */
  readonly folds?: ReactNode
  /** At the end of that row: what changes the question. */
  readonly act?: ReactNode
  /** Choices that allow nothing, and those that do. */
  readonly refusals: ReactNode
  readonly choices: ReactNode
  /** Choices that reach further than this question, below the others. */
  readonly further?: ReactNode
  /** Further lines under "Why am I asked?". */
  readonly why?: ReactNode
  /** Why the last answer was not taken. */
  readonly problem: string | undefined
  /** The action of Escape and ×; without it the question is dismissed. */
  readonly onLeave?: () => void
  readonly leaveLabel?: string
  /** A click beside a modal question; nothing unless set. */
  readonly onOutside?: () => void
}

/** The frame of every question: who asks, what, why, the exact content, the choices. */
export function QuestionFrame(props: QuestionFrameProps) {
  const { interaction, modal, onOutside } = props
  const { about } = interaction
  const causeFolded = props.causeFolded || (!modal && about.toolCallId !== undefined)
  const answers = useRef<HTMLDivElement>(null)
  useAnswerKeys(answers)
  const leave = props.onLeave ?? (() => setAside(interaction.id))
  return (
    <Granted value={interaction.question}>
      <Dialog
        title={props.title}
        modal={modal}
        initialFocus={props.safe}
        onEscape={leave}
        closeLabel={props.leaveLabel ?? 'Dismiss'}
        {...(onOutside ? { onOutside } : {})}
        speaker={<div className="question-servers">{props.speaker ?? <ServerBadge name={about.serverName} />}</div>}
        footer={
          <>
            <div className="question-answers" ref={answers}>
              {props.refusals}
              <span className="grow" />
              {props.choices}
            </div>
            {props.further}
          </>
        }
      >
        {props.causeFolded ? props.sentence : <p>{props.sentence}</p>}
        {causeFolded ? null : <CauseLine interaction={interaction} />}
        {props.children}
        {props.problem ? (
          <p key={props.problem} className="tone-fail" role="alert" ref={(told) => told?.scrollIntoView({ block: 'nearest' })}>
            {props.problem}
          </p>
        ) : null}
        <div className="question-folds">
          {props.folds}
          <Disclosure summary="Why am I asked?">
            <div className="column-1 small">
              {props.why}
              {causeFolded ? <CauseLine interaction={interaction} /> : null}
              <p>
                Expires <RelativeTime at={interaction.endsAt} />. No answer means no.
                {props.onLeave ? ' If you leave, it stays in the Inbox.' : ' If you dismiss it, it stays in the Inbox.'}
              </p>
              <p>
                <a href={routeHash({ section: 'settings', id: 'security' })} onClick={() => setAside(interaction.id)}>
                  Security limits
                </a>
              </p>
            </div>
          </Disclosure>
          {props.act ? <div className="question-acts line">{props.act}</div> : null}
        </div>
      </Dialog>
    </Granted>
  )
}

/** Marks a name as a server's, so that it cannot pass for the app. */
export function ServerBadge({ name }: { readonly name: string }) {
  return (
    <div className="question-server">
      <span className="question-server-badge">server</span>
      <VisibleText as="span" className="question-server-name" text={name} />
    </div>
  )
}

function CauseLine({ interaction }: { readonly interaction: Interaction }) {
  const { about, askedAt } = interaction
  return (
    <p className="small soft">
      {about.conversationId === undefined ? (
        about.cause
      ) : (
        <CallLink conversationId={about.conversationId} toolCallId={about.toolCallId}>
          {about.cause}
        </CallLink>
      )}{' '}
      <span className="meta">
        Asked <RelativeTime at={askedAt} />.
      </span>
    </p>
  )
}
