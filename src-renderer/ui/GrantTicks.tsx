import { type MouseEvent, type ReactNode, useRef } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { MovePointer } from './GrantButton.tsx'
import { useGrant } from './grants/use-grant.ts'

/** Checkboxes and switches that grant something at once. Only an act that was meant for them changes them. */
export function GrantTicks({ children }: { readonly children: ReactNode }) {
  const { element, unmoved, onPointerDown, grantOf } = useGrant<HTMLDivElement>()
  const passed = useRef(false)
  const judge = (event: MouseEvent) => {
    if (passed.current) return
    if (!grantOf(event)) {
      // React reports the change of a checkbox even when it is prevented.
      event.stopPropagation()
      return event.preventDefault()
    }
    // A label forwards its click to the checkbox: both are one act.
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
