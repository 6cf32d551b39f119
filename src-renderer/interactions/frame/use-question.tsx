import { type ReactNode, type RefObject, useCallback, useRef } from 'react'
import type { Answer, AnswerTo, InteractionKind, InteractionOf, RefusalTo } from '../../../src-shared/contract/interactions.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { useAction } from '../../state/use-action.ts'
import { announce } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import type { Granting } from '../../ui/grants/use-grant.ts'
import { answeredBy } from './answer-keys.ts'
import type { QuestionFrameProps } from './QuestionFrame.tsx'

export interface QuestionProps<K extends InteractionKind> {
  readonly interaction: InteractionOf<K>
  /** False at its own conversation. */
  readonly modal: boolean
}

/** Answers that grant nothing by themselves. */
type UngrantingTo<K extends InteractionKind> = Extract<AnswerTo<K>, { readonly decision: 'edit' }>

export interface Asking<K extends InteractionKind> {
  /** The part of the question that the frame needs. */
  readonly frame: Pick<QuestionFrameProps, 'interaction' | 'modal' | 'safe' | 'problem'>
  /** For the choice that changes nothing: it gets the focus. */
  readonly safe: RefObject<HTMLButtonElement | null>
  readonly busy: boolean
  /** Controls that allow something are disabled: the link is lost, or an answer is on its way. */
  readonly held: boolean
  /** Refuses once; a refusal of the host leaves the question open and says why. */
  readonly refuse: (answer: RefusalTo<K>) => void
  /** The button that does so and has the focus at first. */
  readonly refusal: (label: string, answer: RefusalTo<K>) => ReactNode
  /** Answers with what neither refuses nor grants. */
  readonly say: (answer: UngrantingTo<K>) => void
  /** Answers with anything, by an act that was meant for what grants it. */
  readonly grant: (by: Granting, answer: AnswerTo<K>) => void
}

/** One question on screen, and how it is answered. */
export function useQuestion<K extends InteractionKind>({ interaction, modal }: QuestionProps<K>): Asking<K> {
  const { id, kind } = interaction
  const safe = useRef<HTMLButtonElement>(null)
  const live = useHost((mirror) => mirror.link === 'live')
  const { busy, problem, run } = useAction()
  const say = useCallback(
    (answer: AnswerTo<K>) => {
      void run(async () => {
        // An answer to this kind; the compiler cannot pair the two through a type parameter.
        const { accepted } = await ask('interaction.answer', { id, kind, answer } as Answer)
        if (!accepted) announce('This question was already answered or withdrawn.')
      })
    },
    [id, kind, run],
  )
  const grant = useCallback((_by: Granting, answer: AnswerTo<K>) => say(answer), [say])
  const refusal = (label: string, answer: RefusalTo<K>) => (
    <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => say(answer)}>
      {label}
    </Button>
  )
  return { frame: { interaction, modal, safe, problem }, safe, busy, held: !live || busy, refuse: say, say, refusal, grant }
}
