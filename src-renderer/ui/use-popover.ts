import { type MouseEvent, type RefObject, type ToggleEvent, useRef, useState } from 'react'

export interface Popover {
  readonly open: boolean
  readonly toggle: () => void
  readonly buttonProps: {
    readonly 'aria-expanded': boolean
    readonly onPointerDown: () => void
    readonly onClick: (event: MouseEvent) => void
  }
  readonly popoverProps: { readonly popover: 'auto'; readonly onBeforeToggle: (event: ToggleEvent) => void }
}

/**
 * A popover and its button. The state changes with the element, since the toggle event comes late, when a person may have pressed
 * the button again.
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
    buttonProps: {
      'aria-expanded': open,
      onPointerDown: () => (openWhenPressed.current = open),
      // The browser closes it for a press on its button, which is outside; the click that follows must not open it again.
      onClick: ({ detail }) => {
        if (detail === 0 || !openWhenPressed.current) toggle()
        else element.current?.hidePopover()
      },
    },
    popoverProps: { popover: 'auto', onBeforeToggle: ({ newState }) => setOpen(newState === 'open') },
  }
}
