import { useCallback, useState } from 'react'
import { failureText } from './attempt.ts'

export interface Action {
  readonly busy: boolean
  /** Why it failed the last time. */
  readonly problem: string | undefined
  /** Resolves with whether it worked; never rejects. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

/** Something that a person sets going, and that is told where they did: whether it is under way, and why it failed. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(failureText(error))
      return false
    } finally {
      setBusy(false)
    }
  }, [])
  return { busy, problem, run }
}
