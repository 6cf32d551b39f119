import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { useHost, useHostShallow } from '../state/host-store.ts'
import { questionToShow, runningOnScreen, type ShownQuestion } from '../state/question-on-screen.ts'
import { announce, useView } from '../state/view-store.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { questionSentence } from './frame/question-labels.ts'
import { renderQuestion } from './render-question.tsx'
import { useTypingPaused, watchTyping } from './use-typing-paused.ts'

interface Shown {
  readonly question: ShownQuestion
  /** False while it waits for someone to stop typing. */
  readonly mayTakeFocus: boolean
}

const ShownContext = createContext<Shown | undefined>(undefined)

/** Decides which question this window shows, announces it, and hands it to its place. */
export function InteractionLayer({ children }: { readonly children: ReactNode }) {
  const interactions = useHost((mirror) => mirror.host.interactions)
  const route = useView((view) => view.route)
  const aside = useView((view) => view.setAside)
  const opened = useView((view) => view.openQuestion)
  const running = useHostShallow((mirror) => runningOnScreen(mirror, route))
  const question = useMemo(
    () => questionToShow(interactions, { route, setAside: aside, openQuestion: opened, running }),
    [interactions, route, aside, opened, running],
  )
  useEffect(() => watchTyping(document, systemClock), [])
  useAnnouncements()
  const mayTakeFocus = useTypingPaused(question?.interaction.id)
  const shown = useMemo(() => (question ? { question, mayTakeFocus } : undefined), [question, mayTakeFocus])
  return (
    <ShownContext value={shown}>
      {children}
      <QuestionPlace place="modal" />
    </ShownContext>
  )
}

/** The question that is shown at this place now, or null; null as well while it waits for a pause in typing. */
export function useQuestionAt(place: ShownQuestion['place']): ReactNode {
  const shown = useContext(ShownContext)
  if (shown?.question.place !== place) return null
  if (!shown.mayTakeFocus) {
    return <p className={`question-waits question-waits-${place} meta`}>A question waits until you stop typing.</p>
  }
  const { interaction } = shown.question
  return (
    <Boundary key={interaction.id} what="This question" text={questionSentence(interaction)}>
      {renderQuestion(interaction, place === 'modal')}
    </Boundary>
  )
}

function QuestionPlace({ place }: { readonly place: ShownQuestion['place'] }) {
  return useQuestionAt(place)
}

/** Says each new question once, wherever it is shown, and why one went away unanswered. */
function useAnnouncements(): void {
  useEffect(
    () =>
      useHost.subscribe((mirror, before) => {
        if (mirror.host.interactions === before.host.interactions) return
        const known = new Set(before.host.interactions.map((interaction) => interaction.id))
        const fresh = mirror.host.interactions.filter((interaction) => !known.has(interaction.id))
        if (fresh.length > 0) announce(`Question: ${fresh.map(questionSentence).join('. ')}`)
        const [last] = mirror.ended
        if (last && last !== before.ended[0]) announce(`Ended: ${questionSentence(last.interaction)}. ${last.why}`)
      }),
    [],
  )
}
