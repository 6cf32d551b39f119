import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { MovePointer } from './GrantButton.tsx'
import { type Granting, useGrant } from './grants/use-grant.ts'
import { CheckIcon, MoreIcon } from './icons.tsx'
import { usePopover } from './use-popover.ts'

export type MenuItem = {
  readonly label: string
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Set for items that exclude each other. */
  readonly checked?: boolean
} & (
  | { readonly onSelect: () => void }
  /** The item grants something: only an act that was meant for it selects it. */
  | { readonly onGrant: (by: Granting) => void }
)

interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The button's content; three dots unless set. */
  readonly children?: ReactNode
  /** Replaces the dots. */
  readonly icon?: ReactNode
  readonly disabled?: boolean
}

const GAP = 4
const EDGE = 8
/** Letters typed within this time, in milliseconds, form one word. */
const WORD_PAUSE = 700

/**
 * A button with a menu: arrow keys, Home, End, Escape, first letters; a click outside closes it. It opens away from its button,
 * the first item nearest.
 */
export function Menu({ label, items, children, icon = <MoreIcon />, disabled = false }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const { open, buttonProps, popoverProps } = usePopover(menu)
  const [place, setPlace] = useState<Place>({ left: 0, above: false })
  const typed = useRef({ word: '', at: 0 })

  useLayoutEffect(() => {
    if (!open || !menu.current || !button.current) return
    setPlace(placeFor(button.current.getBoundingClientRect(), menu.current))
  }, [open])
  useLayoutEffect(() => {
    if (!open) return
    const all = entriesOf(menu.current)
    const checked = all.find((entry) => entry.ariaChecked === 'true')
    ;(checked ?? (place.above ? all.at(-1) : all[0]))?.focus()
  }, [open, place])
  const hide = () => {
    menu.current?.hidePopover()
    button.current?.focus()
  }
  const seek = (letter: string) => {
    const now = systemClock.now()
    const word = `${now - typed.current.at < WORD_PAUSE ? typed.current.word : ''}${letter.toLowerCase()}`
    typed.current = { word, at: now }
    const all = entriesOf(menu.current)
    // A single letter moves on to the next match; more letters keep the present one if it matches.
    const from = all.findIndex((entry) => entry.matches(':focus')) + (word.length === 1 ? 1 : 0)
    const turned = [...all.slice(from), ...all.slice(0, from)]
    turned.find((entry) => entry.textContent.trim().toLowerCase().startsWith(word))?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = entriesOf(menu.current)
    const at = all.findIndex((entry) => entry.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[(to + all.length) % all.length]?.focus()
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      hide()
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      seek(event.key)
    }
  }
  const nearestFirst = place.above ? [...items].reverse() : items
  return (
    <>
      <button
        type="button"
        ref={button}
        className={children ? 'ui-button ui-button-quiet ui-button-small' : 'ui-icon-button'}
        aria-label={label}
        title={children ? undefined : label}
        aria-haspopup="menu"
        aria-controls={id}
        disabled={disabled}
        {...buttonProps}
      >
        {children ?? icon}
      </button>
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        {...popoverProps}
        className="ui-menu"
        style={
          place.above
            ? { left: place.left, bottom: place.bottom, maxHeight: place.room }
            : { left: place.left, top: place.top, maxHeight: place.room }
        }
        tabIndex={-1}
        onKeyDown={move}
      >
        {open ? nearestFirst.map((item) => <Item key={item.label} item={item} onDone={hide} />) : null}
      </div>
    </>
  )
}

const entriesOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:not(:disabled)') ?? []),
]

interface Place {
  readonly left: number
  readonly above: boolean
  readonly top?: number
  readonly bottom?: number
  /** The height that does not cover the button. */
  readonly room?: number
}

function placeFor(from: DOMRect, menu: HTMLElement): Place {
  const { height, width } = menu.getBoundingClientRect()
  // Without room to the right, the menu aligns with the right edge of its button.
  const left = from.left + width <= innerWidth - EDGE ? from.left : Math.max(EDGE, from.right - width)
  const below = innerHeight - from.bottom - GAP - EDGE
  const over = from.top - GAP - EDGE
  if (height <= below || below >= over) return { left, above: false, top: from.bottom + GAP, room: below }
  return { left, above: true, bottom: innerHeight - from.top + GAP, room: over }
}

function Item({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const { element, settled, unmoved, onPointerDown, grantOf } = useGrant<HTMLButtonElement>()
  const grants = 'onGrant' in item
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only the role of one among several has it
    <button
      ref={element}
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.checked}
      aria-disabled={grants && !settled ? true : undefined}
      tabIndex={-1}
      className={item.danger ? 'ui-menu-item ui-menu-item-danger' : 'ui-menu-item'}
      disabled={item.disabled}
      onPointerDown={onPointerDown}
      onClick={(event) => {
        if (!('onGrant' in item)) {
          onDone()
          item.onSelect()
          return
        }
        const grant = grantOf(event)
        if (!grant) return
        onDone()
        item.onGrant(grant)
      }}
    >
      {item.label}
      {item.checked ? <CheckIcon /> : null}
      {grants && unmoved ? <MovePointer /> : null}
    </button>
  )
}
