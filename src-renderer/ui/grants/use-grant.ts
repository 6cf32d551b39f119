import { createContext, type MouseEvent, type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { acts } from './acts.ts'
import { Reveal } from './reveal.ts'

declare const meant: unique symbol

/** An act of the person that was meant for the control that grants something. Only such a control has one to give. */
export interface Granting {
  readonly [meant]: true
}

/** Identifies the grant of the controls inside; a new value must be looked at again. */
export const Granted = createContext<unknown>(undefined)

export interface Grant<E extends Element> {
  readonly element: RefObject<E | null>
  /** It was in sight, and at its place, for long enough. */
  readonly settled: boolean
  /** A pointer that had not moved was refused. */
  readonly unmoved: boolean
  readonly onPointerDown: () => void
  /** The act behind a click when it was meant for this control; undefined when it was not. */
  readonly actOf: (click: MouseEvent) => Granting | undefined
}

/** Keeps a control that grants something from being taken by an act that was meant for earlier content. */
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
    const taken = acts?.taken(click.nativeEvent)
    // A press of the pointer is judged when it begins.
    const meantForIt = taken !== undefined && reveal.accepts(taken) && (taken.by !== 'pointer' || pressed.current)
    pressed.current = false
    return meantForIt ? ({} as Granting) : undefined
  }
  return { element, settled, unmoved, onPointerDown, actOf }
}
