import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { CheckIcon, MoreIcon } from './icons.tsx'

export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
  /** One of several that exclude each other: whether it holds. */
  readonly checked?: boolean
}

export interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** What the button shows; three dots unless set. */
  readonly children?: ReactNode
  /** What it shows in place of the dots, where it is no bigger than they are. */
  readonly icon?: ReactNode
  readonly disabled?: boolean
}

/** A button with a menu: arrow keys, Home, End, Escape; closes on a click outside. */
export function Menu({ label, items, children, icon = <MoreIcon />, disabled = false }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [place, setPlace] = useState({ top: 0, left: 0 })

  const entries = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:not(:disabled)') ?? [])]
  const show = () => {
    menu.current?.showPopover()
    const from = button.current?.getBoundingClientRect()
    const size = menu.current?.getBoundingClientRect()
    if (from && size) {
      const below = from.bottom + 4
      setPlace({
        top: below + size.height > innerHeight ? Math.max(8, from.top - size.height - 4) : below,
        left: Math.max(8, Math.min(from.left, innerWidth - size.width - 8)),
      })
    }
    const all = entries()
    const checked = all.find((entry) => entry.ariaChecked === 'true')
    ;(checked ?? all[0])?.focus()
  }
  const hide = () => {
    menu.current?.hidePopover()
    button.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.findIndex((entry) => entry.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[(to + all.length) % all.length]?.focus()
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      hide()
    }
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        className={children ? 'ui-button ui-button-quiet ui-button-small' : 'ui-icon-button'}
        aria-label={label}
        title={children ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        disabled={disabled}
        onClick={show}
      >
        {children ?? icon}
      </button>
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        popover="auto"
        className="ui-menu"
        style={place}
        tabIndex={-1}
        onKeyDown={move}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {items.map((item) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only the role of one among several has it
          <button
            key={item.label}
            type="button"
            role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.checked}
            tabIndex={-1}
            className={item.danger ? 'ui-menu-item ui-menu-item-danger' : 'ui-menu-item'}
            disabled={item.disabled}
            onClick={() => {
              hide()
              item.onSelect()
            }}
          >
            {item.label}
            {item.checked ? <CheckIcon /> : null}
          </button>
        ))}
      </div>
    </>
  )
}
