import { useCallback, useState } from 'react'
import type { Answer } from '../../../src-shared/contract/interactions.ts'
import { answer, failureText } from '../../state/actions.ts'
import { announce } from '../../state/view-store.ts'

export interface Answering {
  readonly busy: boolean
  /** Why the host did not take it. */
  readonly problem: string | undefined
  give(given: Answer): void
}

/** Gives an answer once; a refusal leaves the question open and says why. */
export function useAnswer(): Answering {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const give = useCallback((given: Answer) => {
    setBusy(true)
    setProblem(undefined)
    answer(given).then(
      ({ accepted }) => {
        if (!accepted) announce('This question was answered or withdrawn before.')
        setBusy(false)
      },
      (error) => {
        setProblem(failureText(error))
        setBusy(false)
      },
    )
  }, [])
  return { busy, problem, give }
}
