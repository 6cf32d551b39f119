import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { ImportReviewId } from '../../../src-shared/contract/ids.ts'
import type { ImportInput, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { counted, listed } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { TextList } from '../../ui/TextList.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { launchLine } from '../labels/server-labels.ts'
import { LaunchTable } from '../overview/LaunchTable.tsx'
import { InputField } from './InputField.tsx'
import { draftedLaunch, type ImportDraft, withTicks } from './import-draft.ts'
import { PackageFacts } from './PackageFacts.tsx'

export interface ReviewedRowProps {
  readonly review: ImportReviewId
  readonly server: ReviewedServer
  readonly draft: ImportDraft
  readonly onChange: (draft: ImportDraft) => void
  readonly nameProblem: string | undefined
  /** Problems of values, by id of the input. */
  readonly values: ReadonlyMap<string, string>
  /** The server under which each input is shown. */
  readonly asked: ReadonlyMap<string, string>
  readonly onPick: (input: ImportInput) => void
}

/** A server of a review: its checkbox, launch, secrets and inputs. */
export const ReviewedRow = memo(function ReviewedRow({
  review,
  server,
  draft,
  onChange,
  nameProblem,
  values,
  asked,
  onPick,
}: ReviewedRowProps) {
  const { key, here, inputs, package: published } = server
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
    <li>
      <div className="import-server-head line">
        <Checkbox
          label={<VisibleText as="strong" text={server.called} />}
          checked={ticked}
          onChange={(tick) => onChange(withTicks(draft, [server], tick))}
        />
        <Badge server={server} />
        {server.options.enabled === false ? <span className="chip">Off</span> : null}
        {renaming || draft.updating.has(key) ? null : (
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
      <div className="indented column-1">
        {published ? <PackageFacts review={review} server={server} about={published} local={launch.type === 'local'} /> : null}
        <VisibleText as="code" className="pre-wrap breaks" text={launchLine(launch)} />
        {published?.updates ? <Update server={server} draft={draft} onChange={onChange} /> : null}
        <Remarks server={server} />
        {renaming && (ticked || here.is !== 'name-taken') ? (
          <div className="import-field">
            <TextField
              ref={field}
              label={`Name of ${called} in Parley`}
              hint={here.is === 'name-taken' ? `“${called}” is already the name of a different server.` : undefined}
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
                    problem={values.get(input.id)}
                    onPick={onPick}
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
        <Disclosure
          summary={
            <>
              Details<span className="unseen"> of {called}</span>
            </>
          }
          open={published !== undefined}
        >
          <LaunchTable launch={launch} />
        </Disclosure>
      </div>
    </li>
  )
})

/** Lets the person change the server that is here, after its differences, or add another one. */
function Update({ server, draft, onChange }: Pick<ReviewedRowProps, 'server' | 'draft' | 'onChange'>) {
  const updates = server.package?.updates
  if (!updates) return null
  const set = (update: boolean) => {
    const others = [...draft.updating].filter((key) => key !== server.key)
    onChange({ ...draft, updating: new Set(update ? [...others, server.key] : others) })
  }
  return (
    <>
      <RadioGroup
        label="You already have another version of this server"
        value={draft.updating.has(server.key) ? 'update' : 'add'}
        options={[
          { value: 'update', label: `Update “${visibleText(updates.serverId)}”` },
          { value: 'add', label: 'Add as a new server' },
        ]}
        onChange={(value) => set(value === 'update')}
      />
      <TextList texts={updates.changes} />
    </>
  )
}

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
        <p className="tone-wait">
          A secret stays in plain text in mcp.json: <VisibleText text={listed(inTheClear)} />
        </p>
      ) : null}
      {warnings.map((warning) => (
        <p key={warning} className="tone-wait">
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
