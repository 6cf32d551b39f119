import { useCallback, useId, useMemo, useRef, useState } from 'react'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import type { RawValues } from '../../src-shared/forms/check-form.ts'
import { fieldsOfElicitation } from '../../src-shared/forms/form-fields.ts'
import type { ElicitResult } from '../../src-shared/mcp/client-requests.ts'
import { ServerText } from '../content/text/ServerText.tsx'
import { SchemaForm } from '../forms/SchemaForm.tsx'
import { useFormCheck } from '../forms/use-form-check.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { WarningIcon } from '../ui/icons.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { readValues } from './frame/typed-values.ts'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'
import './elicitation.css'

/** A server asks the person to fill in a form. Submit, Decline and Cancel are told apart to the server (ELIC-10 to ELIC-15). */
export function ElicitationFormDialog(props: QuestionProps<'elicitation-form'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, refuse, refusal, grant } = useQuestion(props)
  const form = useId()
  const first = useRef<HTMLElement>(null)
  const [leaving, setLeaving] = useState(false)
  const { values, change, problem: unkept } = useFormValues(props.interaction)
  const fields = useMemo(() => {
    const read = fieldsOfElicitation(question.schema, { multiSelect: question.multiSelect })
    return read.ok ? read.fields : []
  }, [question.schema, question.multiSelect])
  const check = useFormCheck(fields, values)

  const submit = (by: Granting) => {
    const content = check.submit()
    // Fields of an elicitation are texts, numbers, yes or no, and lists of texts; JSON fields do not occur.
    if (content) grant(by, { action: 'accept', content: content as NonNullable<ElicitResult['content']> })
  }
  const leave = () => {
    if (Object.values(values).some((value) => value !== '')) setLeaving(true)
    else refuse({ action: 'cancel' })
  }
  const findFirst = useCallback((element: HTMLElement | null) => {
    first.current = element?.querySelector<HTMLElement>('input, select, textarea') ?? null
  }, [])
  const askedFor = fields.filter((field) => question.secrets.includes(field.name)).map((field) => `“${visibleText(field.label)}”`)
  const refusalFirst = question.asksForSecret || fields.length === 0
  return (
    <QuestionFrame
      {...frame}
      title="Information requested"
      safe={refusalFirst ? safe : first}
      problem={frame.problem ?? unkept}
      onLeave={leave}
      onOutside={leave}
      leaveLabel="Close without an answer"
      sentence={
        <>
          <VisibleText text={about.serverName} /> asks you {fields.length === 0 ? 'to confirm' : 'for information'}
          {question.again ? ' again. Check what you submitted' : ''}. Text in frames comes from the server.
        </>
      }
      why={
        <p>
          Only what you submit is sent, and Parley does not keep it. Decline tells the server that you refuse; Cancel, Escape and
          × that you gave no answer.
        </p>
      }
      refusals={
        <>
          {refusal('Decline', { action: 'decline' })}
          <Button disabled={busy} onClick={() => refuse({ action: 'cancel' })}>
            Cancel
          </Button>
        </>
      }
      choices={
        <GrantButton type="submit" form={form} variant="allow" {...answeredBy('allow')} held={held} onGrant={submit}>
          Submit
        </GrantButton>
      }
    >
      {question.asksForSecret ? (
        <div className="elicitation-secret" role="note">
          <WarningIcon />
          <div>
            <strong>
              {askedFor.length > 0
                ? `${askedFor.join(', ')} looks like a password, key or card number.`
                : 'This looks like a request for a password, key or card number.'}
            </strong>{' '}
            Servers must not ask for secrets this way, and the people who run this one can read what you type. Decline unless you
            are certain. What you type is lost on a reload.
          </div>
        </div>
      ) : null}
      <ServerText label="Server’s message" text={question.message} />
      <div className="elicitation-form" ref={findFirst}>
        <SchemaForm id={form} label="Requested information" fields={fields} values={values} onChange={change} check={check} />
      </div>
      {leaving ? (
        <ConfirmDialog
          title="Discard what you typed?"
          confirm="Discard"
          onConfirm={() => refuse({ action: 'cancel' })}
          onCancel={() => setLeaving(false)}
        >
          <p>The server is told that you did not answer.</p>
        </ConfirmDialog>
      ) : null}
    </QuestionFrame>
  )
}

/** The values of the fields. Secret ones live in this window only: they are in no draft. */
function useFormValues(interaction: InteractionOf<'elicitation-form'>) {
  const { secrets, asksForSecret } = interaction.question
  // Any field may be meant if the message asks for a secret and no field says so.
  const isSecret = (name: string) => (secrets.length === 0 ? asksForSecret : secrets.includes(name))
  const { draft, change: keep, problem } = useDraft(interaction, readValues)
  const [hidden, setHidden] = useState<RawValues>({})
  const values = useMemo(() => ({ ...draft, ...hidden }), [draft, hidden])
  const change = (next: RawValues) => {
    const entries = Object.entries(next)
    setHidden(Object.fromEntries(entries.filter(([name]) => isSecret(name))))
    keep(Object.fromEntries(entries.filter(([name]) => !isSecret(name))))
  }
  return { values, change, problem }
}
