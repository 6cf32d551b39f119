import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { Completions } from '../../src-shared/contract/attachments.ts'
import { grouped } from '../ui/amounts.ts'
import type { FieldProps } from '../ui/fields/FieldFrame.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import './forms.css'
import { type AskSuggestions, Suggester } from './suggester.ts'

export interface SuggestedFieldProps extends Omit<FieldProps, 'hint' | 'hideLabel'> {
  /** The server's words about it. */
  readonly description: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly suggest: AskSuggestions
}

/** One line of text with a server's suggestions below it. They are only offered: anything can be typed. */
export function SuggestedField({ description, value, onChange, suggest, ...field }: SuggestedFieldProps) {
  const id = useId()
  const [found, setFound] = useState<Completions>()
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const suggester = useSuggester(suggest, setFound)
  // A suggestion equal to the typed text is dropped; alone it would only cover the next field.
  const values = open && !(found?.values.length === 1 && found.values[0] === value) ? (found?.values ?? []) : []
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
        {...field}
        hint={description ? <VisibleText text={description} /> : undefined}
        value={value}
        onChange={typed}
        onFocus={() => {
          setOpen(true)
          suggester.current?.typed(value)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
      />
      {shown ? (
        // A box that scrolls takes the focus of the Tab key by itself, and would keep the list open.
        <div className="form-suggestions" tabIndex={-1}>
          <div role="listbox" id={`${id}-list`} aria-label={`Suggestions for ${field.label}`}>
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
              {found?.total === undefined ? 'More available' : `${grouped(found.total)} in all`}: type on to narrow them.
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function useSuggester(suggest: AskSuggestions, setFound: (found: Completions | undefined) => void) {
  const suggester = useRef<Suggester>(undefined)
  // The question changes with the other fields; the asker stays, so that its pause does.
  const question = useRef(suggest)
  question.current = suggest
  useEffect(() => {
    const made = new Suggester(systemClock, (value, signal) => question.current(value, signal), setFound)
    suggester.current = made
    return () => made.stop()
  }, [setFound])
  return suggester
}
