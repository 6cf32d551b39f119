import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { policyLine } from '../ui/policy-line.ts'
import { readStartWays, type StartWays } from './start-ways.ts'

/** Undefined for a start without a fence. */
export type StartChoice = FencePolicy | 'watched' | undefined

/** The ways each of the servers can start, as known when they were asked about; undefined while it is read. */
export function useStartWays(servers: readonly ServerId[]): ReadonlyMap<ServerId, StartWays> | undefined {
  const [asked] = useState(servers)
  const [ways, setWays] = useState<ReadonlyMap<ServerId, StartWays> | undefined>(() =>
    asked.length === 0 ? new Map() : undefined,
  )
  useEffect(() => {
    if (asked.length > 0) void readStartWays(asked, systemClock).then(setWays)
  }, [asked])
  return ways
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
