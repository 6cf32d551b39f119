import type { ReactNode, RefObject } from 'react'
import type { Interaction } from '../../../src-shared/contract/interactions.ts'
import { routeHash } from '../../state/route.ts'
import { setAside } from '../../state/view-store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import './interactions.css'

export interface QuestionFrameProps {
  readonly interaction: Interaction
  /** The name of the dialog, a promise to screen readers. */
  readonly title: string
  readonly modal: boolean
  /** The choice that changes nothing; it gets the focus. */
  readonly safe: RefObject<HTMLElement | null>
  /** What it wants, in one sentence. */
  readonly sentence: ReactNode
  /** Exactly what it is about. */
  readonly children: ReactNode
  /** Choices that allow nothing, and those that do. */
  readonly refusals: ReactNode
  readonly choices: ReactNode
  /** Further lines under "Why am I asked?". */
  readonly why?: ReactNode
  /** Why the last answer was not taken. */
  readonly problem: string | undefined
  /** What Escape and × do; set aside unless set. */
  readonly onLeave?: () => void
  readonly leaveLabel?: string
  /** A click beside a modal question; nothing unless set. */
  readonly onOutside?: () => void
}

/** The frame of every question: who asks, what, why, the exact content, the choices. */
export function QuestionFrame(props: QuestionFrameProps) {
  const { interaction, modal, onOutside } = props
  const { about } = interaction
  const leave = props.onLeave ?? (() => setAside(interaction.id))
  return (
    <Dialog
      title={props.title}
      modal={modal}
      initialFocus={props.safe}
      onEscape={leave}
      closeLabel={props.leaveLabel ?? 'Set aside'}
      {...(onOutside ? { onOutside } : {})}
      eyebrow={<ServerBadge name={about.serverName} />}
      footer={
        <>
          {props.refusals}
          <span className="question-gap" />
          {props.choices}
        </>
      }
    >
      <p>{props.sentence}</p>
      <p className="question-cause">
        <Cause interaction={interaction} />{' '}
        <span className="meta">
          Asked <RelativeTime at={interaction.askedAt} />.
        </span>
      </p>
      {props.children}
      {props.problem ? (
        <p className="question-problem" role="alert">
          {props.problem}
        </p>
      ) : null}
      <details className="question-why">
        <summary>Why am I asked?</summary>
        <div className="question-why-text">
          {props.why}
          <p>
            Without an answer it ends <RelativeTime at={interaction.endsAt} />, and nothing is allowed by that.
            {props.onLeave ? ' Going elsewhere keeps it in the Inbox.' : ' Setting it aside keeps it in the Inbox.'}
          </p>
          <p>
            <a href={routeHash({ section: 'settings', id: 'security' })} onClick={() => setAside(interaction.id)}>
              What Parley protects you from, and what it does not
            </a>
          </p>
        </div>
      </details>
    </Dialog>
  )
}

/** Marks a name as a server's, so that it cannot pass for the app. */
export function ServerBadge({ name }: { readonly name: string }) {
  return (
    <div className="question-server">
      <span className="question-server-badge">server</span>
      <span className="question-server-name">
        <VisibleText text={name} />
      </span>
    </div>
  )
}

function Cause({ interaction: { about } }: { readonly interaction: Interaction }) {
  if (about.conversationId === undefined) return <>{about.cause}</>
  const card = about.toolCallId && `call-${about.toolCallId}`
  return (
    <a
      href={routeHash({ section: 'conversations', id: about.conversationId })}
      onClick={() => {
        if (card) document.getElementById(card)?.scrollIntoView({ block: 'center' })
      }}
    >
      {about.cause}
    </a>
  )
}
