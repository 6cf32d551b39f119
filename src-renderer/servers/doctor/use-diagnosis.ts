import { useEffect, useState } from 'react'
import type { Diagnosis } from '../../../src-shared/contract/doctor.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'

interface DiagnosisState {
  /** The last diagnosis, kept while another runs. */
  readonly diagnosis: Diagnosis | undefined
  readonly looking: boolean
  readonly refused: string | undefined
  readonly reload: () => void
}

/** Diagnoses a server when mounted and when `refetchOn` changes; does nothing while `serverId` is undefined. */
export function useDiagnosis(serverId: ServerId | undefined, refetchOn: readonly unknown[]): DiagnosisState {
  const [round, setRound] = useState(0)
  const [looked, setLooked] = useState<Omit<DiagnosisState, 'reload'>>({
    diagnosis: undefined,
    looking: true,
    refused: undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the server is a reason to look again
  useEffect(() => {
    if (serverId === undefined) return
    const giveUp = new AbortController()
    setLooked(({ diagnosis }) => ({ diagnosis, looking: true, refused: undefined }))
    ask('server.diagnose', { serverId }, giveUp.signal).then(
      (diagnosis) => giveUp.signal.aborted || setLooked({ diagnosis, looking: false, refused: undefined }),
      (error: unknown) =>
        giveUp.signal.aborted || setLooked({ diagnosis: undefined, looking: false, refused: failureText(error) }),
    )
    return () => giveUp.abort()
  }, [serverId, round, ...refetchOn])
  return { ...looked, reload: () => setRound((count) => count + 1) }
}
