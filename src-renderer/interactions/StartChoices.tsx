import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { policyLine } from '../ui/policy-line.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { readStartWays, type StartWays } from './start-ways.ts'

export type StartChoice = 'open' | 'fenced' | 'watched'

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

/** A server is fenced unless that is known to break it (decision 56). */
export const proposedStart = (way: StartWays | undefined): StartChoice => (way && whyOpen(way) === undefined ? 'fenced' : 'open')

export const whyOpen = ({ problem, open }: StartWays) => problem?.what ?? open

export const OPEN = { value: 'open', label: 'Open', hint: 'Files: all of yours. Network: any.' } as const

interface StartChoicesProps extends StartWays {
  readonly value: StartChoice
  readonly onChange: (choice: StartChoice) => void
}

/** Lets the person choose how a server starts. */
export function StartChoices({ proposal, known, problem, open, canWatch, value, onChange }: StartChoicesProps) {
  if (problem) return <VisibleText as="p" className="meta" text={problem.what} />
  return (
    <RadioGroup
      label="How it starts"
      options={[
        { ...OPEN, hint: visibleText(open ?? OPEN.hint) },
        { value: 'fenced', label: known ? 'Fenced, as known for this package' : 'Fenced', hint: policyLine(proposal) },
        ...(canWatch
          ? [{ value: 'watched' as const, label: 'Watch first', hint: 'Without a fence. Parley notes what it uses.' }]
          : []),
      ]}
      value={value}
      onChange={onChange}
    />
  )
}
