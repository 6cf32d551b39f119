import { useEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { CompletionAnswer } from '../../src-shared/contract/attachments.ts'
import { grouped } from '../ui/amounts.ts'
import type { FieldProps } from '../ui/fields/FieldFrame.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { useCombobox } from '../ui/lists/combobox.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import './forms.css'
import { type AskSuggestions, Suggester } from './suggester.ts'

interface SuggestedFieldProps extends Omit<FieldProps, 'hint' | 'hideLabel'> {
  /** From the server. */
  readonly description: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly suggest: AskSuggestions
}

/** A text field with a server's suggestions below it; any other text can be typed as well. */
export function SuggestedField({ description, value, onChange, suggest, ...field }: SuggestedFieldProps) {
  const [found, setFound] = useState<CompletionAnswer>()
  const [open, setOpen] = useState(false)
  const suggester = useSuggester(suggest, setFound)
  // A suggestion equal to the typed text is dropped; alone it would only cover the next field.
  const values = open && !(found?.values.length === 1 && found.values[0] === value) ? (found?.values ?? []) : []
  const shown = values.length > 0
  const show = (text: string) => {
    setOpen(true)
    suggester.current?.typed(text)
  }
  const choose = (text: string) => {
    onChange(text)
    setOpen(false)
    suggester.current?.stop()
  }
  const suggestions = useCombobox({
    label: `Suggestions for ${field.label}`,
    choices: values.map((text) => ({ key: text, choose: () => choose(text) })),
    query: value,
    start: -1,
    render: ({ key }) => <VisibleText text={key} />,
    classOf: () => 'form-suggestion',
    onClose: shown ? () => setOpen(false) : undefined,
  })
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
        {...suggestions.field}
        hint={description ? <VisibleText text={description} /> : undefined}
        value={value}
        onChange={(text) => {
          onChange(text)
          show(text)
        }}
        onFocus={() => show(value)}
        onKeyDown={(event) => {
          if (!suggestions.onKeyDown(event) && event.key === 'ArrowDown') show(value)
        }}
      />
      {shown ? (
        <div className="form-suggestions framed" tabIndex={-1}>
          {suggestions.list()}
          {found?.hasMore || (found?.total ?? 0) > values.length ? (
            <div className="meta form-suggestion-more">
              {found?.total === undefined ? 'More available' : `${grouped(found.total)} in all`}: keep typing to narrow them.
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function useSuggester(suggest: AskSuggestions, setFound: (found: CompletionAnswer | undefined) => void) {
  const suggester = useRef<Suggester>(undefined)
  // Other fields change the request; one suggester for all of them keeps its pause.
  const latest = useRef(suggest)
  latest.current = suggest
  useEffect(() => {
    const made = new Suggester(systemClock, (value, signal) => latest.current(value, signal), setFound)
    suggester.current = made
    return () => made.stop()
  }, [setFound])
  return suggester
}
