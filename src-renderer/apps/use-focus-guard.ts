import { useCallback, useEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { hasFocus } from './FrameTree.tsx'

/** Milliseconds after a Tab in which the focus may go into a view. */
const TAB_PAUSE = 500
/** Milliseconds for which a browser takes a page for used after an act of the person in it or in a frame of it. */
const USED_PAUSE = 5_000
const FIELD = 'input, textarea, select, [contenteditable]'

interface FocusGuard {
  /** True while a layer of ours is to lie over the view. */
  readonly shielded: boolean
  /** For a pointer over that layer. */
  readonly lift: () => void
}

/**
 * Any frame can take the keyboard, and with it what the person types elsewhere. A view that takes the focus without a click in it or a
 * Tab is stopped at once, and the focus goes back (APP-30). A browser tells that the person used a frame, but for some seconds it cannot
 * tell a click there from a key here. For so long a layer lies over the view, and only a pointer on it, or time, takes it away.
 */
export function useFocusGuard(frame: HTMLIFrameElement | null, stop: (why: string) => void): FocusGuard {
  const [shielded, setShielded] = useState(false)
  /** Known at once, before the layer is drawn. */
  const guards = useRef(false)
  const shield = useCallback((on: boolean) => {
    guards.current = on
    setShielded(on)
  }, [])
  const lift = useCallback(() => shield(false), [shield])
  useEffect(() => {
    let tabbed = Number.NEGATIVE_INFINITY
    let last = document.activeElement
    let cancel = () => {}
    const raise = () => {
      cancel()
      cancel = systemClock.after(USED_PAUSE, lift)
      shield(true)
    }
    const onKeyDown = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Tab') tabbed = timeStamp
      else raise()
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Element && target.matches(FIELD)) raise()
    }
    const onFocus = (event: FocusEvent) => {
      const [target] = event.composedPath()
      if (target instanceof Element && target !== frame) last = target
    }
    const onBlur = ({ timeStamp }: FocusEvent) => {
      if (!frame || !hasFocus(frame) || timeStamp - tabbed < TAB_PAUSE) return
      const asked = document.querySelector('dialog:modal') !== null
      if (!guards.current && !asked && navigator.userActivation.isActive) return
      const before = last
      // A dialog that closed gave the focus back.
      if (before && (!before.isConnected || before.closest('dialog')?.open === false)) {
        frame.blur()
        return
      }
      // Removed now: the browser would send the next keys to the frame, whatever has the focus here.
      frame.remove()
      if (before instanceof HTMLElement) systemClock.after(0, () => before.focus({ preventScroll: true }))
      stop('The view was stopped because it took the keyboard.')
    }
    addEventListener('keydown', onKeyDown, true)
    addEventListener('focusin', onFocus, true)
    addEventListener('pointerdown', onPointerDown, true)
    addEventListener('blur', onBlur)
    return () => {
      removeEventListener('keydown', onKeyDown, true)
      removeEventListener('focusin', onFocus, true)
      removeEventListener('pointerdown', onPointerDown, true)
      removeEventListener('blur', onBlur)
      cancel()
    }
  }, [frame, stop, shield, lift])
  return { shielded, lift }
}
