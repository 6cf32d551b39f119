import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { Completions } from '../../src-shared/contract/attachments.ts'
import { TextField } from '../ui/fields.tsx'
import { grouped } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import './forms.css'
import { type AskSuggestions, Suggester } from './suggester.ts'

export interface SuggestedFieldProps {
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
  readonly problem?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  /** Absent: a plain field. */
  readonly ask?: AskSuggestions
}

/** One line of text with a server's suggestions below it. They are only offered: anything can be typed. */
export function SuggestedField({ label, hint, required, problem, value, onChange, ask }: SuggestedFieldProps) {
  const id = useId()
  const [found, setFound] = useState<Completions>()
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const suggester = useSuggester(ask, setFound)
  const values = open ? (found?.values ?? []) : []
  const shown = values.length > 0

  const typed = (text: string) => {
    onChange(text)
    setOpen(true)
    setAt(-1)
    suggester.current?.typed(text)
  }
  const choose = (text: string) => {
    onChange(text)
    setOpen(false)
    setAt(-1)
    suggester.current?.stop()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && shown) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((before) => (before + step + values.length) % values.length)
    } else if (event.key === 'ArrowDown') {
      setOpen(true)
      suggester.current?.typed(value)
    } else if (event.key === 'Enter' && shown && values[at] !== undefined) {
      event.preventDefault()
      choose(values[at])
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus leave
    <div
      className="form-suggested"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <TextField
        label={label}
        {...(hint === undefined ? {} : { hint: <VisibleText text={hint} /> })}
        problem={problem}
        {...(required === undefined ? {} : { required })}
        value={value}
        onChange={typed}
        onFocus={() => {
          setOpen(true)
          suggester.current?.typed(value)
        }}
        onKeyDown={onKeyDown}
        {...(ask
          ? {
              role: 'combobox',
              'aria-expanded': shown,
              'aria-controls': `${id}-list`,
              'aria-autocomplete': 'list' as const,
              'aria-activedescendant': shown && at >= 0 ? `${id}-${at}` : undefined,
            }
          : {})}
      />
      {shown ? (
        // A box that scrolls takes the focus of the Tab key by itself, and would keep the list open.
        <div className="form-suggestions" tabIndex={-1}>
          <div role="listbox" id={`${id}-list`} aria-label={`Suggestions for ${label}`}>
            {values.map((text, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              <div
                key={text}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                className="form-suggestion"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(text)}
              >
                <VisibleText text={text} />
              </div>
            ))}
          </div>
          {found?.hasMore || (found?.total ?? 0) > values.length ? (
            <div className="meta form-suggestion-more">
              {found?.total === undefined ? 'More exist' : `${grouped(found.total)} in all`}: type on to narrow them.
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function useSuggester(ask: AskSuggestions | undefined, setFound: (found: Completions | undefined) => void) {
  const suggester = useRef<Suggester>(undefined)
  // The question changes with the other fields; the asker stays, so that its pause does.
  const question = useRef(ask)
  question.current = ask
  const asks = ask !== undefined
  useEffect(() => {
    if (!asks) return
    const made = new Suggester(
      systemClock,
      (value, signal) => question.current?.(value, signal) ?? Promise.resolve({ values: [], hasMore: false }),
      setFound,
    )
    suggester.current = made
    return () => made.stop()
  }, [asks, setFound])
  return suggester
}
