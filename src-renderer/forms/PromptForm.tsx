import { useId, useState } from 'react'
import type { Completions } from '../../src-shared/contract/attachments.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { Button } from '../ui/Button.tsx'
import { filledTexts, missingTexts, type Texts, TextsForm } from './TextsForm.tsx'

export interface PromptFormProps {
  readonly prompt: Prompt
  /** The name of whose it is. */
  readonly server: string
  readonly busy: boolean
  readonly complete: (argument: string, value: string, context: Texts, signal: AbortSignal) => Promise<Completions>
  /** Only called with every required argument filled in. Values are texts, as the protocol wants them (PROMPT-05). */
  readonly onSubmit: (args: Texts) => void
}

const NONE: ReadonlySet<string> = new Set()

/** The arguments of a prompt, titled as the server titles them. */
export function PromptForm({ prompt, server, busy, complete, onSubmit }: PromptFormProps) {
  const id = useId()
  const [values, setValues] = useState<Texts>({})
  const [missing, setMissing] = useState(NONE)
  const fields = (prompt.arguments ?? []).map((argument) => ({
    name: argument.name,
    label: argument.title || argument.name,
    description: argument.description,
    required: argument.required === true,
  }))
  const submit = () => {
    const empty = missingTexts(fields, values)
    setMissing(empty)
    if (empty.size === 0) onSubmit(filledTexts(fields, values))
  }
  return (
    <div className="form-template">
      {fields.length > 0 ? (
        <TextsForm
          id={id}
          label="Arguments of the prompt"
          fields={fields}
          values={values}
          onChange={(next) => {
            setValues(next)
            setMissing((before) => (before.size > 0 ? missingTexts(fields, next) : before))
          }}
          missing={missing}
          complete={complete}
          server={server}
          onSubmit={submit}
        />
      ) : (
        <p className="soft">It takes no arguments.</p>
      )}
      <div>
        <Button variant="primary" disabled={busy} {...(fields.length > 0 ? { type: 'submit', form: id } : { onClick: submit })}>
          {busy ? 'Getting it …' : 'Preview'}
        </Button>
      </div>
    </div>
  )
}
