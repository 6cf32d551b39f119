import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { useRequest } from '../state/use-request.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { policyLine } from '../ui/policy-line.ts'

/** Undefined for a start without a fence. */
export type StartChoice = FencePolicy | 'watched' | undefined

interface StartChoicesProps {
  readonly serverId: ServerId
  readonly onChange: (choice: StartChoice) => void
}

/** Lets the person choose how a server starts: open, unless they say otherwise (decision 54). Nothing is shown where no fence can be made. */
export function StartChoices({ serverId, onChange }: StartChoicesProps) {
  const { value: about } = useRequest('fence.read', { serverId })
  const { value: watch } = useRequest('fence.watched', { serverId })
  const [value, setValue] = useState<'open' | 'fenced' | 'watched'>('open')
  if (!about || about.problem) return null
  const { proposal, known } = about
  const choose = (next: typeof value) => {
    setValue(next)
    onChange(next === 'fenced' ? proposal : next === 'watched' ? next : undefined)
  }
  const canWatch = watch && !watch.problem
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
