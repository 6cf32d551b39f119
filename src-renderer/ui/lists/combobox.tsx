import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { VisibleText } from '../VisibleText.tsx'

export interface Choice {
  readonly key: string
  /** Choices of one section follow each other below its label. */
  readonly section?: { readonly key: string; readonly label: string }
  /** True for the present value; without it the choice that the keys are on is the selected one. */
  readonly isChosen?: boolean
  readonly choose: () => void
}

interface ComboboxProps<T extends Choice> {
  /** Names the list. */
  readonly label: string
  readonly choices: readonly T[]
  /** The text that was searched for; with a new one the keys begin at `start` again. */
  readonly query: string
  /** The choice that the keys are on at first; -1 for none. */
  readonly start?: number
  readonly render: (choice: T) => ReactNode
  readonly classOf?: (choice: T) => string
  /** Escape; left to others without it. */
  readonly onClose?: (() => void) | undefined
  /** Left to others without it. */
  readonly tab?: 'chooses' | 'closes'
  /** Enter is the list's even while nothing can be chosen. */
  readonly keepsEnter?: boolean
}

/** A list that a text field chooses from: the field keeps the focus, and its keys move through the list. */
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
  /** Takes a key of the field; whether it was for the list. */
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
    // A box that scrolls takes the focus of the Tab key by itself.
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
  const refers = { 'aria-controls': `${id}-list`, 'aria-activedescendant': activeId }
  const field = {
    ...refers,
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': choices.length > 0,
    onKeyDown,
  } as const
  return { list, onKeyDown, refers, field }
}
