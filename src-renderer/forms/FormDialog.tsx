import { type ChangeEvent, type ClipboardEvent, type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useAction } from '../state/use-action.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog, type DialogProps } from '../ui/Dialog.tsx'
import { FailureLine } from '../ui/FailureLine.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import './forms.css'

interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'children'> {
  readonly verb: string
  /** Submitting gives a server or model access to something, so the button guards against stray presses. */
  readonly grants?: boolean
  readonly disabled?: boolean
  /** Returns undefined when a field is invalid and shows so. A rejection is shown above the fields. */
  readonly onSubmit: () => Promise<unknown> | undefined
  /** A second button with another action. */
  readonly other?: { readonly label: string; readonly onSubmit: () => Promise<unknown> } | undefined
  readonly onClose: () => void
  /** Called before a field takes the pasted text. */
  readonly onPaste?: (event: ClipboardEvent<HTMLElement>) => void
}

const FIELD = ':is(input:not([type="radio"]), input:checked, select, textarea)'

/** The texts in the fields of a form, whether they were typed, pasted or chosen for it. */
function textsOf(form: HTMLFormElement | null): string {
  const fields = form?.querySelectorAll<HTMLInputElement>('input:not([type="radio"], [type="checkbox"]), textarea') ?? []
  return Array.from(fields, ({ value }) => value)
    .join('\n')
    .trim()
}

/**
 * A dialog around a form, whose first field has the focus. It closes when submitting succeeds and shows the problem when it
 * fails. Leaving it asks first where its texts have changed or the person has chosen or ticked something; while it is being
 * saved, it stays.
 */
export function FormDialog({
  verb,
  grants = false,
  disabled = false,
  onSubmit,
  other,
  onClose,
  onPaste,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const { busy, problem, run } = useAction()
  const before = useRef('')
  const [leaving, setLeaving] = useState(false)
  const chosen = useRef(false)
  const leave = () => {
    if (busy) return
    if (chosen.current || textsOf(form.current) !== before.current) setLeaving(true)
    else onClose()
  }
  const [mistakes, setMistakes] = useState(0)
  const [changed, setChanged] = useState(false)
  // Runs after the dialog, which takes the focus first.
  useLayoutEffect(() => {
    const shown = form.current
    before.current = textsOf(shown)
    const first = shown?.querySelector<HTMLElement>(FIELD) ?? shown?.querySelector('button')
    first?.focus()
  }, [])
  useEffect(() => {
    if (mistakes > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mistakes])
  const submit = async (submitting: FormDialogProps['onSubmit'], event?: FormEvent) => {
    event?.preventDefault()
    // The button stays enabled: disabling it would drop the focus out of the dialog.
    if (busy) return
    setChanged(false)
    const doing = submitting()
    if (!doing) setMistakes((count) => count + 1)
    else if (await run(() => doing)) onClose()
  }
  return (
    <>
      <Dialog
        {...dialog}
        closeLabel="Close"
        onEscape={leave}
        {...(dialog.size === 'small' && { onOutside: leave })}
        footer={
          <>
            {other ? <Button onClick={() => void submit(other.onSubmit)}>{other.label}</Button> : null}
            <Button onClick={leave}>Cancel</Button>
            {grants ? (
              <GrantButton variant="primary" type="submit" form={id} held={disabled} onGrant={() => void submit(onSubmit)}>
                {verb}
              </GrantButton>
            ) : (
              <Button variant="primary" type="submit" form={id} disabled={disabled}>
                {verb}
              </Button>
            )}
          </>
        }
      >
        <form
          id={id}
          ref={form}
          className="column-4"
          noValidate
          onPasteCapture={onPaste}
          onChange={({ target }: ChangeEvent<HTMLElement>) => {
            setChanged(true)
            // Not compared, since the options of a form can load late.
            if (target.matches('select, [type="radio"], [type="checkbox"]')) chosen.current = true
          }}
          onSubmit={(event) => (grants ? event.preventDefault() : void submit(onSubmit, event))}
        >
          <FailureLine framed problem={changed ? undefined : problem} />
          {children}
        </form>
      </Dialog>
      {leaving ? (
        <ConfirmDialog title="Discard what you typed?" confirm="Discard" onConfirm={onClose} onCancel={() => setLeaving(false)}>
          <p>Nothing was saved.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
