import { type FormEvent, useId, useRef, useState } from 'react'
import { fits } from '../../src-shared/base/range.ts'
import { WINDOW_RANGE } from '../../src-shared/contract/settings.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { grouped } from '../ui/sizes.ts'
import { visibleText } from '../ui/visible-text.ts'
import './forms.css'

export interface ModelWindowDialogProps {
  /** As it is shown in lists. */
  readonly model: string
  /** What counts now. */
  readonly tokens: number | undefined
  /** A person set it, so that it can be left to the provider again. */
  readonly own: boolean
  /** null: whatever the provider says. */
  readonly save: (tokens: number | null) => Promise<unknown>
  /** What went wrong, as a person should read it. */
  readonly failed: (error: unknown) => string
  readonly onClose: () => void
}

/** The dialog "The model's window": how many tokens a model takes in, by the person's word. */
export function ModelWindowDialog({ model, tokens, own, save, failed, onClose }: ModelWindowDialogProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(tokens === undefined ? '' : String(tokens))
  const [problem, setProblem] = useState<string>()
  const set = async (wanted: number | null) => {
    try {
      await save(wanted)
      onClose()
    } catch (error) {
      setProblem(failed(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = tokensIn(typed)
    if (wanted !== undefined) return void set(wanted)
    setProblem(`Enter a number of tokens from ${grouped(WINDOW_RANGE.least)} to ${grouped(WINDOW_RANGE.most)}, such as 32,768.`)
    field.current?.focus()
  }
  return (
    <Dialog
      title="The model’s window"
      size="small"
      closeLabel="Close"
      onEscape={onClose}
      initialFocus={field}
      footer={
        <>
          {own ? <Button onClick={() => void set(null)}>Leave it to the provider</Button> : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id}>
            Set
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit}>
        <TextField
          ref={field}
          label={`Tokens that ${visibleText(model).slice(0, 80)} takes in`}
          hint="Its documentation says how many. A local server may take in less than the model could: what it was started with counts."
          inputMode="numeric"
          autoComplete="off"
          problem={problem}
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setProblem(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}

/** What was typed, with marks between thousands, or a k for a thousand; undefined when it is no window. */
export function tokensIn(typed: string): number | undefined {
  const [, thousands, plain] = /^(?:(\d+)\s*k|(\d[\d\s.,_’']*))$/i.exec(typed.trim()) ?? []
  const tokens = thousands === undefined ? Number((plain ?? '').replace(/\D/g, '')) : Number(thousands) * 1000
  return fits(tokens, WINDOW_RANGE) ? tokens : undefined
}
