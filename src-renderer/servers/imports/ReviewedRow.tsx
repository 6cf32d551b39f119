import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { ImportInput, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { counted, listed } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { launchLine } from '../labels/server-labels.ts'
import { LaunchTable } from '../overview/LaunchTable.tsx'
import { draftedLaunch, type ImportDraft, withTicks } from './import-draft.ts'

interface ReviewedRowProps {
  readonly server: ReviewedServer
  readonly draft: ImportDraft
  readonly onChange: (draft: ImportDraft) => void
  readonly nameProblem: string | undefined
  readonly missing: ReadonlySet<string>
  /** The server under which each input is shown. */
  readonly asked: ReadonlyMap<string, string>
}

/** A server of a review: its checkbox, launch, secrets and inputs. */
export const ReviewedRow = memo(function ReviewedRow({ server, draft, onChange, nameProblem, missing, asked }: ReviewedRowProps) {
  const { key, here, inputs } = server
  const launch = draftedLaunch(server, draft.inputs)
  const [renaming, setRenaming] = useState(here.is === 'name-taken')
  const field = useRef<HTMLInputElement>(null)
  const clicked = useRef(false)
  // The clicked button disappears.
  useLayoutEffect(() => {
    if (renaming && clicked.current) field.current?.focus()
  }, [renaming])
  const ticked = draft.ticked.has(key)
  const name = draft.names[key] ?? ''
  const called = visibleText(server.called)
  return (
    <li className="import-server">
      <div className="import-server-head line">
        <Checkbox
          label={<VisibleText as="strong" text={server.called} />}
          checked={ticked}
          onChange={(tick) => onChange(withTicks(draft, [server], tick))}
        />
        <Badge server={server} />
        {server.options.enabled === false ? <span className="chip">Off</span> : null}
        {renaming ? null : (
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              clicked.current = true
              setRenaming(true)
            }}
          >
            Rename<span className="unseen"> {called}</span>
          </Button>
        )}
      </div>
      <div className="import-server-more column-1">
        <VisibleText as="code" className="import-launch" text={launchLine(launch)} />
        <Remarks server={server} />
        {renaming && (ticked || here.is !== 'name-taken') ? (
          <div className="import-field">
            <TextField
              ref={field}
              label={`Name of ${called} in Parley`}
              hint={here.is === 'name-taken' ? `“${called}” is already a different server here.` : undefined}
              problem={nameProblem}
              value={name}
              onChange={(text) => onChange({ ...draft, names: { ...draft.names, [key]: text } })}
            />
          </div>
        ) : nameProblem === undefined ? null : (
          <p className="ui-field-problem">{nameProblem}</p>
        )}
        {ticked
          ? inputs.map((input) =>
              asked.get(input.id) === key ? (
                <div key={input.id} className="import-field">
                  <InputField
                    input={input}
                    value={draft.inputs[input.id] ?? ''}
                    problem={missing.has(input.id) ? 'Required, or deselect the server.' : undefined}
                    onChange={(text) => onChange({ ...draft, inputs: { ...draft.inputs, [input.id]: text } })}
                  />
                </div>
              ) : (
                <p key={input.id} className="meta">
                  <VisibleText text={input.label} />: as above
                </p>
              ),
            )
          : null}
        <details>
          <summary className="meta">
            Details<span className="unseen"> of {called}</span>
          </summary>
          <LaunchTable launch={launch} />
        </details>
      </div>
    </li>
  )
})

function Badge({ server: { here } }: { readonly server: ReviewedServer }) {
  switch (here.is) {
    case 'new':
      return <span className="chip chip-new">New</span>
    case 'same':
      return <span className="chip">Already here</span>
    case 'repeated':
      return (
        <span className="chip">
          Same as “<VisibleText text={here.as} />” above
        </span>
      )
    case 'name-taken':
      return <span className="chip chip-wait">Name taken</span>
  }
}

/** Notes on secrets, oddities, and settings that are not imported. */
function Remarks({ server: { secrets, inTheClear, warnings, notTaken, here, called } }: { readonly server: ReviewedServer }) {
  return (
    <>
      {here.is === 'same' && here.as !== called ? (
        <p className="meta">
          Its name here: <VisibleText text={here.as} />
        </p>
      ) : null}
      {secrets.length > 0 ? (
        <p className="meta">
          {counted(secrets.length, 'key')} {secrets.length === 1 ? 'goes' : 'go'} to the secret store:{' '}
          <VisibleText text={listed(secrets)} />
        </p>
      ) : null}
      {inTheClear.length > 0 ? (
        <p className="import-warning">
          A secret stays in plain text in mcp.json: <VisibleText text={listed(inTheClear)} />
        </p>
      ) : null}
      {warnings.map((warning) => (
        <p key={warning} className="import-warning">
          <VisibleText text={warning} />
        </p>
      ))}
      {notTaken.map((line) => (
        <p key={line} className="meta">
          <VisibleText text={line} />
        </p>
      ))}
    </>
  )
}

interface InputFieldProps {
  readonly input: ImportInput
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

function InputField({ input: { label, secret, choices }, ...field }: InputFieldProps) {
  const shown = visibleText(label)
  if (choices) {
    const options = choices.map((choice) => ({ value: choice, label: visibleText(choice) }))
    return <Select {...field} required label={shown} options={[{ value: '', label: 'Choose' }, ...options]} />
  }
  if (secret) return <SecretField {...field} required label={shown} hint="Goes to the secret store." />
  return <TextField {...field} required label={shown} />
}
