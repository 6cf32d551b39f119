import { createContext, type MouseEvent, type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { acts } from './acts.ts'
import { Reveal } from './reveal.ts'

declare const meant: unique symbol

/** Proof of an act that was meant for a granting control; only such a control can give it. */
export interface Granting {
  readonly [meant]: true
}

/** Identifies what the controls inside grant; a new value restarts their check. */
export const Granted = createContext<unknown>(undefined)

export interface Grant<E extends Element> {
  readonly element: RefObject<E | null>
  /** The control was visible and in place for long enough. */
  readonly settled: boolean
  /** A click was refused because the pointer had not moved. */
  readonly unmoved: boolean
  readonly onPointerDown: () => void
  /** The act of a click if it was meant for this control, else undefined. */
  readonly actOf: (click: MouseEvent) => Granting | undefined
}

/** Refuses acts on a granting control that were meant for earlier content. */
export function useGrant<E extends Element>(): Grant<E> {
  const what = useContext(Granted)
  const element = useRef<E>(null)
  const [reveal] = useState(() => new Reveal(systemClock))
  const [settled, setSettled] = useState(false)
  const [unmoved, setUnmoved] = useState(false)
  const pressed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again when it grants something else
  useLayoutEffect(() => {
    reveal.show(acts?.pointer)
    setSettled(false)
  }, [reveal, what])
  useEffect(() => {
    if (!element.current) return
    return acts?.watch(element.current, reveal, (moved) => {
      setSettled(reveal.settled)
      if (moved && reveal.accepts({ by: 'pointer' })) setUnmoved(false)
    })
  }, [reveal])
  const onPointerDown = () => {
    pressed.current = reveal.accepts({ by: 'pointer' })
    setUnmoved(!pressed.current)
  }
  const actOf = (click: MouseEvent) => {
    const act = acts?.actOf(click.nativeEvent)
    // A pointer is judged when it presses, not when it is released.
    const meantForIt = act !== undefined && reveal.accepts(act) && (act.by !== 'pointer' || pressed.current)
    pressed.current = false
    return meantForIt ? ({} as Granting) : undefined
  }
  return { element, settled, unmoved, onPointerDown, actOf }
}
