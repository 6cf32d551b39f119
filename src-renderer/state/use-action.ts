import { useCallback, useState } from 'react'
import { failureText } from './attempt.ts'

export interface Action {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Resolves to true on success; never rejects. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

/** An action that reports its progress and its failure beside its control. */
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
