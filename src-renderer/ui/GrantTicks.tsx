import { type MouseEvent, type ReactNode, useRef } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { MovePointer } from './GrantButton.tsx'
import { useGrant } from './grants/use-grant.ts'

/** Ticks and switches that grant something at once: they are changed only by an act that was meant for them. */
export function GrantTicks({ children }: { readonly children: ReactNode }) {
  const { element, unmoved, onPointerDown, actOf } = useGrant<HTMLDivElement>()
  const passed = useRef(false)
  const judge = (event: MouseEvent) => {
    if (passed.current) return
    if (!actOf(event)) {
      // React tells a tick of its change even when that is prevented.
      event.stopPropagation()
      return event.preventDefault()
    }
    // A label hands its click on to the tick, which is the same act.
    passed.current = true
    systemClock.after(0, () => (passed.current = false))
  }
  return (
    <div ref={element} onPointerDownCapture={onPointerDown} onClickCapture={judge}>
      {children}
      {unmoved ? <MovePointer /> : null}
    </div>
  )
}
