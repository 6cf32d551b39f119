import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../src-shared/contract/requests.ts'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { useRequest } from '../state/use-request.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { policyLine } from '../ui/policy-line.ts'

/** Undefined for a start without a fence. */
export type StartChoice = FencePolicy | 'watched' | undefined

interface StartWays extends Pick<ResultOf<'fence.read'>, 'proposal' | 'known'> {
  readonly canWatch: boolean
}

/** How a server can start; undefined where no fence can be made, and `waits` until that is known. Nothing is read without a server. */
export function useStartWays(serverId: ServerId | undefined): { readonly waits: boolean; readonly ways?: StartWays } {
  const params = serverId && { serverId }
  const fence = useRequest('fence.read', params)
  const watch = useRequest('fence.watched', params)
  if (!serverId) return { waits: false }
  if (fence.busy || watch.busy) return { waits: true }
  if (!fence.value || fence.value.problem) return { waits: false }
  const { proposal, known } = fence.value
  return { waits: false, ways: { proposal, known, canWatch: watch.value !== undefined && !watch.value.problem } }
}

interface StartChoicesProps extends StartWays {
  readonly onChange: (choice: StartChoice) => void
}

/** Lets the person choose how a server starts: open, unless they say otherwise (decision 54). */
export function StartChoices({ proposal, known, canWatch, onChange }: StartChoicesProps) {
  const [value, setValue] = useState<'open' | 'fenced' | 'watched'>('open')
  const choose = (next: typeof value) => {
    setValue(next)
    onChange(next === 'fenced' ? proposal : next === 'watched' ? next : undefined)
  }
  return (
    <RadioGroup
      label="How it starts"
      options={[
        { value: 'open', label: 'Open', hint: 'Files: all of yours. Network: any.' },
        { value: 'fenced', label: known ? 'Fenced, as known for this package' : 'Fenced', hint: policyLine(proposal) },
        ...(canWatch
          ? [{ value: 'watched' as const, label: 'Watch first', hint: 'Open, and Parley notes what to fence it to.' }]
          : []),
      ]}
      value={value}
      onChange={choose}
    />
  )
}
