import { createContext, type MouseEvent, type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { activations } from './activations.ts'
import { Reveal } from './reveal.ts'

declare const meant: unique symbol

/** Proof of an activation that was meant for a granting control; only such a control can give it. */
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
  /** The proof of a click that was meant for this control, else undefined. */
  readonly grantOf: (click: MouseEvent) => Granting | undefined
}

/** Refuses activations of a granting control that were meant for earlier content. */
export function useGrant<E extends Element>(): Grant<E> {
  const what = useContext(Granted)
  const element = useRef<E>(null)
  const [reveal] = useState(() => new Reveal(systemClock))
  const [settled, setSettled] = useState(false)
  const [unmoved, setUnmoved] = useState(false)
  const pressed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again when it grants something else
  useLayoutEffect(() => {
    reveal.show(activations?.pointer)
    setSettled(false)
  }, [reveal, what])
  useEffect(() => {
    if (!element.current) return
    return activations?.watch(element.current, reveal, (moved) => {
      setSettled(reveal.settled)
      if (moved && reveal.accepts({ by: 'pointer' })) setUnmoved(false)
    })
  }, [reveal])
  const onPointerDown = () => {
    pressed.current = reveal.accepts({ by: 'pointer' })
    setUnmoved(!pressed.current)
  }
  const grantOf = (click: MouseEvent) => {
    const activation = activations?.of(click.nativeEvent)
    // A pointer is judged when it presses, not when it is released.
    const meantForIt = activation !== undefined && reveal.accepts(activation) && (activation.by !== 'pointer' || pressed.current)
    pressed.current = false
    return meantForIt ? ({} as Granting) : undefined
  }
  return { element, settled, unmoved, onPointerDown, grantOf }
}
