import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { isObject } from '../../src-shared/base/json.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import type { RawValue, RawValues } from '../../src-shared/forms/check-form.ts'
import { fieldsOfElicitation } from '../../src-shared/forms/form-fields.ts'
import type { ElicitResult } from '../../src-shared/mcp/client-requests.ts'
import { SchemaForm } from '../forms/SchemaForm.tsx'
import { useFormCheck } from '../forms/use-form-check.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { ServerWords } from './frame/ServerWords.tsx'
import { useAnswer } from './frame/use-answer.ts'
import { useArmed } from './frame/use-armed.ts'
import { useDraft } from './frame/use-draft.ts'
import './elicitation.css'

export interface ElicitationFormDialogProps {
  readonly interaction: InteractionOf<'elicitation-form'>
  readonly modal: boolean
}

const NOTHING: RawValues = {}

function isRaw(value: unknown): value is RawValue {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'))
  )
}

function readValues(kept: unknown): RawValues {
  return isObject(kept)
    ? Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, RawValue] => isRaw(entry[1])))
    : NOTHING
}

/** A server asks the person to fill in a form. Submit, Decline and Cancel are told apart to the server (ELIC-10 to ELIC-15). */
export function ElicitationFormDialog({ interaction, modal }: ElicitationFormDialogProps) {
  const { id, about, question } = interaction
  const form = useId()
  const decline = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLElement>(null)
  const armed = useArmed()
  const { busy, problem, give } = useAnswer()
  const [leaving, setLeaving] = useState(false)
  const { values, change, problem: unkept } = useFormValues(interaction)
  const fields = useMemo(() => {
    const read = fieldsOfElicitation(question.schema, { multiSelect: question.multiSelect })
    return read.ok ? read.fields : []
  }, [question.schema, question.multiSelect])
  const check = useFormCheck(fields, values)

  const say = (answer: ElicitResult) => give({ id, kind: 'elicitation-form', answer })
  const submit = () => {
    if (!armed || busy) return
    const content = check.submit()
    // Fields of an elicitation are texts, numbers, yes or no, and lists of texts; JSON fields do not occur.
    if (content) say({ action: 'accept', content: content as NonNullable<ElicitResult['content']> })
  }
  const leave = () => {
    if (Object.values(values).some((value) => value !== '')) setLeaving(true)
    else say({ action: 'cancel' })
  }
  const findFirst = useCallback((element: HTMLElement | null) => {
    first.current = element?.querySelector<HTMLElement>('input, select, textarea') ?? null
  }, [])
  const askedFor = fields.filter((field) => question.secrets.includes(field.name)).map((field) => `“${visibleText(field.label)}”`)
  const refusalFirst = question.asksForSecret || fields.length === 0
  return (
    <QuestionFrame
      interaction={interaction}
      title="Information requested"
      modal={modal}
      safe={refusalFirst ? decline : first}
      problem={problem ?? unkept}
      onLeave={leave}
      onOutside={leave}
      leaveLabel="Close without an answer"
      sentence={
        <>
          <VisibleText text={about.serverName} /> asks you {fields.length === 0 ? 'to confirm something' : 'for information'}.
          What is framed below is the server’s own.
        </>
      }
      why={
        <p>
          Nothing is sent but what you fill in and submit, and Parley does not keep it. Decline tells the server that you refuse;
          Cancel, Escape and × tell it that you gave no answer.
        </p>
      }
      choices={
        <>
          <Button ref={decline} variant="primary" disabled={busy} onClick={() => say({ action: 'decline' })}>
            Decline
          </Button>
          <Button disabled={busy} onClick={() => say({ action: 'cancel' })}>
            Cancel
          </Button>
          <span className="question-gap" />
          <Button type="submit" form={form} variant="allow" disabled={!armed || busy}>
            Submit
          </Button>
        </>
      }
    >
      {question.asksForSecret ? (
        <div className="elicitation-secret" role="note">
          <WarningIcon />
          <div>
            <strong>
              {askedFor.length > 0
                ? `${askedFor.join(', ')} looks like a password, key or card number.`
                : 'This looks like a question for a password, key or card number.'}
            </strong>{' '}
            Servers must not ask for such things this way, and whoever runs this one can read what you type. Decline, unless you
            are certain. What you type there is not kept, not even until a reload.
          </div>
        </div>
      ) : null}
      <ServerWords label="What the server says" text={question.message} />
      <div className="elicitation-form" ref={findFirst}>
        <SchemaForm
          id={form}
          label="What the server asks for"
          fields={fields}
          values={values}
          onChange={change}
          check={check}
          onSubmit={submit}
        />
      </div>
      {leaving ? (
        <ConfirmDialog
          title="Discard what you typed?"
          confirm="Discard"
          onConfirm={() => say({ action: 'cancel' })}
          onCancel={() => setLeaving(false)}
        >
          <p>The server is told that you gave no answer.</p>
        </ConfirmDialog>
      ) : null}
    </QuestionFrame>
  )
}

/** What is in the fields. Secret ones live in this window only: they are in no draft. */
function useFormValues(interaction: InteractionOf<'elicitation-form'>) {
  const { secrets, asksForSecret } = interaction.question
  // Where the message asks for one and no field says so, any of them may be meant.
  const isSecret = (name: string) => (secrets.length === 0 ? asksForSecret : secrets.includes(name))
  const { draft, change: keep, problem } = useDraft(interaction, readValues)
  const [hidden, setHidden] = useState(NOTHING)
  const values = useMemo(() => ({ ...draft, ...hidden }), [draft, hidden])
  const change = (next: RawValues) => {
    const entries = Object.entries(next)
    setHidden(Object.fromEntries(entries.filter(([name]) => isSecret(name))))
    keep(Object.fromEntries(entries.filter(([name]) => !isSecret(name))))
  }
  return { values, change, problem }
}
