import { type MouseEvent, type RefObject, type ToggleEvent, useRef, useState } from 'react'

export interface Popover {
  readonly open: boolean
  readonly toggle: () => void
  /** For the button that opens and closes it. */
  readonly ofButton: {
    readonly 'aria-expanded': boolean
    readonly onPointerDown: () => void
    readonly onClick: (event: MouseEvent) => void
  }
  /** For the element itself. */
  readonly ofPopover: { readonly popover: 'auto'; readonly onBeforeToggle: (event: ToggleEvent) => void }
}

/**
 * A popover and the button next to it. Its state changes together with the element: the event after the change comes late, when a person
 * may have pressed the button again.
 */
export function usePopover(element: RefObject<HTMLElement | null>, beforeOpening?: () => void): Popover {
  const [open, setOpen] = useState(false)
  const openWhenPressed = useRef(false)
  const toggle = () => {
    if (!element.current?.matches(':popover-open')) beforeOpening?.()
    element.current?.togglePopover()
  }
  return {
    open,
    toggle,
    ofButton: {
      'aria-expanded': open,
      onPointerDown: () => (openWhenPressed.current = open),
      // The browser closes it for a press outside, and its button is outside: the click that follows must not open it again.
      onClick: ({ detail }) => {
        if (detail === 0 || !openWhenPressed.current) toggle()
        else element.current?.hidePopover()
      },
    },
    ofPopover: { popover: 'auto', onBeforeToggle: ({ newState }) => setOpen(newState === 'open') },
  }
}
