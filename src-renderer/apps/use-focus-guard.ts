import { type RefObject, useEffect } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'

/** Milliseconds after a Tab in which the focus may go into a view. */
const TAB_PAUSE = 500
/** Milliseconds in which a pointer over the view still explains its focus. */
const POINTER_PAUSE = 150
/** Milliseconds for which a browser takes a page for used after an act of the person in it or in a frame of it. */
const USED_PAUSE = 5_000
const FIELD = 'input, textarea, select, [contenteditable]'

/**
 * Any frame can take the keyboard, and with it what the person types elsewhere. A view that takes the focus without a click in it or a
 * Tab is stopped at once, and the focus goes back (APP-30). A click in a frame counts as use of the page, as do keys and clicks of ours:
 * after those in a field the focus is the person's.
 */
export function useFocusGuard(
  frame: RefObject<HTMLIFrameElement | null>,
  over: RefObject<boolean>,
  stop: (why: string) => void,
): void {
  useEffect(() => {
    let tabbed = Number.NEGATIVE_INFINITY
    let typed = Number.NEGATIVE_INFINITY
    let last = document.activeElement
    const onKeyDown = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Tab') tabbed = timeStamp
      else typed = timeStamp
    }
    const onPointerDown = ({ target, timeStamp }: PointerEvent) => {
      if (target instanceof Element && target.matches(FIELD)) typed = timeStamp
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame.current) last = target
    }
    const onBlur = ({ timeStamp }: FocusEvent) => {
      if (document.activeElement !== frame.current || timeStamp - tabbed < TAB_PAUSE) return
      if (navigator.userActivation.isActive && timeStamp - typed > USED_PAUSE) return
      // The pointer that a click came with may be told of after the click.
      systemClock.after(POINTER_PAUSE, look)
    }
    const look = () => {
      if (!frame.current || document.activeElement !== frame.current || over.current) return
      const before = last
      // A dialog that closed gave the focus back.
      if (before && (!before.isConnected || before.closest('dialog')?.open === false)) {
        frame.current.blur()
        return
      }
      // Removed now: the browser would send the next keys to the frame, whatever has the focus here.
      frame.current.remove()
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
    }
  }, [frame, over, stop])
}
