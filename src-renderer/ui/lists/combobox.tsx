import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { VisibleText } from '../VisibleText.tsx'

export interface Choice {
  readonly key: string
  /** Choices of one section follow each other. */
  readonly section?: { readonly key: string; readonly label: string }
  /** True for the present value; without it the active choice is selected. */
  readonly isChosen?: boolean
  readonly choose: () => void
}

interface ComboboxProps<T extends Choice> {
  readonly label: string
  readonly choices: readonly T[]
  /** The searched text; a new one moves the active choice to `start`. */
  readonly query: string
  /** The index of the first active choice; -1 for none. */
  readonly start?: number
  readonly render: (choice: T) => ReactNode
  readonly classOf?: (choice: T) => string
  /** Called by Escape; without it Escape is not handled. */
  readonly onClose?: (() => void) | undefined
  /** Without it Tab is not handled. */
  readonly tab?: 'chooses' | 'closes'
  /** Handles Enter even when nothing can be chosen. */
  readonly keepsEnter?: boolean
}

/** A list controlled by a text field: the field keeps the focus, and its keys move through the list. */
export function useCombobox<T extends Choice>(props: ComboboxProps<T>) {
  const { label, choices, query, start = 0, render, classOf, onClose, tab, keepsEnter = false } = props
  const id = useId()
  const [moved, setMoved] = useState<{ readonly query: string; readonly key: string | undefined }>()
  const found = moved?.query === query ? choices.findIndex(({ key }) => key === moved.key) : -1
  const at = found >= 0 ? found : Math.min(start, choices.length - 1)
  const active = choices[at]
  const activeId = active && `${id}-${at}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice may come to the same place
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, active?.key])

  const move = (step: 1 | -1) => {
    const to = at < 0 && step < 0 ? choices.length - 1 : (at + step + choices.length) % choices.length
    setMoved({ query, key: choices[to]?.key })
    return true
  }
  const choose = () => {
    active?.choose()
    return active !== undefined
  }
  const close = () => {
    onClose?.()
    return onClose !== undefined
  }
  const take = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (key === 'ArrowDown' || key === 'ArrowUp') return choices.length > 0 && move(key === 'ArrowDown' ? 1 : -1)
    if (key === 'Enter') return !shiftKey && (choose() || keepsEnter)
    if (key === 'Tab') return tab === 'chooses' ? !shiftKey && choose() : tab === 'closes' && close()
    return key === 'Escape' && close()
  }
  /** Handles a key of the field. True if it was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!take(event)) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const options = choices.map((choice, index) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      key={choice.key}
      id={`${id}-${index}`}
      role="option"
      aria-selected={choice.isChosen ?? choice === active}
      className={`ui-option ${choice === active ? 'ui-option-active ' : ''}${classOf?.(choice) ?? ''}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choice.choose}
    >
      {render(choice)}
    </div>
  ))
  const sections = [...new Set(choices.map(({ section }) => section?.key))]
  const list = (className?: string) => (
    // A scrolling box would be a Tab stop.
    <div role="listbox" id={`${id}-list`} aria-label={label} className={className} tabIndex={-1}>
      {sections.map((key) => {
        const own = options.filter((_, index) => choices[index]?.section?.key === key)
        const name = choices.find(({ section }) => section?.key === key)?.section?.label
        return name === undefined ? (
          own
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={key} role="group" aria-label={name}>
            <div className="ui-option-section" aria-hidden>
              <VisibleText text={name} />
            </div>
            {own}
          </div>
        )
      })}
    </div>
  )
  const ariaLinks = { 'aria-controls': `${id}-list`, 'aria-activedescendant': activeId }
  const field = {
    ...ariaLinks,
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': choices.length > 0,
    onKeyDown,
  } as const
  return { list, onKeyDown, ariaLinks, field }
}
