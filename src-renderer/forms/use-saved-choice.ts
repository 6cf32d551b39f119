import { useRef, useState } from 'react'
import type { Settings } from '../../src-shared/contract/settings.ts'
import { changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'

/**
 * A value of the host behind a control. It shows the person's choice until the host has answered; otherwise a switch would
 * jump back for the length of the round trip.
 */
export function useSavedChoice<T>(value: T, change: (wanted: T) => Promise<unknown>): readonly [T, (wanted: T) => void] {
  const [wanted, setWanted] = useState<{ readonly value: T } | undefined>()
  const round = useRef(0)
  const choose = (next: T) => {
    round.current += 1
    const mine = round.current
    const settle = () => {
      if (round.current === mine) setWanted(undefined)
    }
    setWanted({ value: next })
    change(next).then(settle, settle)
  }
  return [wanted ? wanted.value : value, choose]
}

/** One of the person's settings behind a control. */
export function useSetting<Id extends keyof Settings>(id: Id): readonly [Settings[Id], (wanted: Settings[Id]) => void] {
  const saved = useHost((mirror) => mirror.host.settings[id])
  return useSavedChoice(saved, (wanted) => attempt(changeSettings({ [id]: wanted })))
}
