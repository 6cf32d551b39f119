import { useRef, useState } from 'react'

/**
 * A value of the host behind a control: what was chosen shows until the host has answered, then what the host says. Without
 * it a switch would jump back under the finger for the length of the round trip.
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
