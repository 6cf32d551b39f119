import { type ReactNode, useId, useRef, useState } from 'react'

export interface TooltipProps {
  readonly text: string
  /** Spread what it is given on the focusable element. */
  readonly children: (describe: { readonly 'aria-describedby': string }) => ReactNode
}

/** A sentence about a control, on hover and on focus; Escape hides it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const [place, setPlace] = useState({ top: 0, left: 0 })
  const show = () => {
    bubble.current?.showPopover()
    const from = anchor.current?.getBoundingClientRect()
    const size = bubble.current?.getBoundingClientRect()
    if (!from || !size) return
    const below = from.bottom + 6
    setPlace({
      top: below + size.height > innerHeight ? from.top - size.height - 6 : below,
      left: Math.max(8, Math.min(from.left, innerWidth - size.width - 8)),
    })
  }
  const hide = () => bubble.current?.hidePopover()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the control inside
    <span
      ref={anchor}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide()
      }}
    >
      {children({ 'aria-describedby': id })}
      <span ref={bubble} id={id} role="tooltip" popover="manual" className="ui-tooltip" style={place}>
        {text}
      </span>
    </span>
  )
}
