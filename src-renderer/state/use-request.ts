import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import { ask } from './ask.ts'
import { failureText } from './attempt.ts'

interface RequestState<T> {
  /** The last answer, kept until the next one; undefined before the first. */
  readonly value: T | undefined
  readonly problem: string | undefined
  /** A request is under way. */
  readonly busy: boolean
  readonly reload: () => void
}

interface UseRequestOptions {
  /** The request is sent again when one of these changes. */
  readonly refetchOn?: readonly unknown[]
  /** Milliseconds without a change before the request is sent. */
  readonly pause?: number
}

/** The host's answer while mounted; nothing is requested while `params` is undefined. */
export function useRequest<N extends HostRequestName>(
  name: N,
  params: ParamsOf<N> | undefined,
  { refetchOn = [], pause = 0 }: UseRequestOptions = {},
): RequestState<ResultOf<N>> {
  const [state, setState] = useState<Omit<RequestState<ResultOf<N>>, 'reload'>>({
    value: undefined,
    problem: undefined,
    busy: params !== undefined,
  })
  const [round, setRound] = useState(0)
  const key = params && JSON.stringify(params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: params are what their JSON says
  useEffect(() => {
    if (!params) return
    const giveUp = new AbortController()
    setState((before) => (before.busy ? before : { ...before, busy: true }))
    const stop = systemClock.after(pause, () => {
      ask(name, params, giveUp.signal).then(
        (value) => giveUp.signal.aborted || setState({ value, problem: undefined, busy: false }),
        (error: unknown) =>
          giveUp.signal.aborted || setState(({ value }) => ({ value, problem: failureText(error), busy: false })),
      )
    })
    return () => {
      stop()
      giveUp.abort()
    }
  }, [name, key, pause, round, ...refetchOn])
  return { ...state, reload: () => setRound((count) => count + 1) }
}
