import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerConfig, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { draftFields } from '../../forms/draft-fields.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { PairRows } from '../../forms/PairRows.tsx'
import { SECOND, TIMEOUT_FIELDS, TIMEOUT_RANGE } from '../../forms/timeout-fields.ts'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate, openImport } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { SpinField } from '../../ui/fields/SpinField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ERAS } from '../labels/era-labels.ts'
import { LocalFields } from './LocalFields.tsx'
import type { Recognised } from './pasted-config.ts'
import { SignInFields } from './SignInFields.tsx'
import {
  checkDraft,
  type DraftField,
  type DraftFieldsProps,
  emptyDraft,
  otherAccountDraft,
  serverDraftOf,
} from './server-draft.ts'
import { type Filled, filledFrom, useFilledDraft } from './use-filled-draft.ts'
import '../labels/servers.css'

const NO_ERRORS: ReadonlyMap<DraftField, string> = new Map()

export interface ServerEditorProps {
  /** The edited server; absent for a new one. */
  readonly server?: ServerRecord
  /** The remote server for which another account is added. */
  readonly accountOf?: ServerRecord
  readonly field?: Extract<Remedy, { is: 'edit' }>['field']
  /** A command or an address that was pasted outside of the form. */
  readonly given?: Recognised | undefined
  readonly onClose: () => void
}

export function ServerEditor({ server, accountOf, field, given, onClose }: ServerEditorProps) {
  const first = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const servers = useHost((mirror) => mirror.host.servers)
  const taken = useMemo(
    () => new Set(Object.values(servers).flatMap((one) => (one.id === server?.id ? [] : [one.id, one.name]))),
    [servers, server?.id],
  )
  const [before] = useState(() =>
    server ? serverDraftOf(server) : accountOf ? otherAccountDraft(accountOf, taken) : emptyDraft(),
  )
  const importSeveral = (text: string) => {
    onClose()
    openImport({ text })
  }
  const onSeveral = server ? undefined : importSeveral
  const form = useFilledDraft({ start: before, given, name: server?.name, onSeveral })
  const { draft, filled, typed, change } = form
  const [judged, setJudged] = useState(false)
  // Runs after the dialog, which takes the focus first.
  useLayoutEffect(() => {
    const wanted = field && body.current?.querySelector<HTMLElement>(`[name="${field}"], [data-field="${field}"] input`)
    wanted?.focus()
  }, [field])

  const saved = typed && draft.kind === 'local' ? filledFrom(draft, typed) : draft
  const check = checkDraft(saved, taken)
  const errors = judged && !check.ok ? check.errors : NO_ERRORS
  const input = draftFields(draft, change, Object.fromEntries(errors))
  const undo = () => {
    form.undo()
    // The clicked button disappears.
    first.current?.focus()
  }
  const folder = useFolderPicker('Choose the working folder', (cwd) => change({ cwd }), draft.cwd)
  const save = async (config: ServerConfig) => {
    const { serverId } = await (server ? ask('server.change', { serverId: server.id, config }) : ask('server.add', { config }))
    const shown = server ?? accountOf
    if (shown && serverId !== shown.id) navigate({ section: 'servers', id: serverId })
  }
  const submit = () => {
    setJudged(true)
    return check.ok ? save(check.config) : undefined
  }
  return (
    <>
      <FormDialog
        title={server ? 'Edit server' : accountOf ? 'Add another account' : 'Add server'}
        verb="Save"
        onSubmit={submit}
        onClose={onClose}
        onPaste={form.paste}
      >
        <div className="column-4" ref={body}>
          {filled ? (
            <div className="editor-notice line framed" role="status">
              <span>{noticeText(filled)} Check before you save.</span>
              {draft === filled.after ? (
                <Button size="small" onClick={undo}>
                  Undo
                </Button>
              ) : null}
            </div>
          ) : null}
          {server || accountOf ? null : (
            <p className="meta">Paste a command, URL or JSON into any empty field. Values stay as pasted.</p>
          )}
          <TextField
            ref={first}
            required
            label="Name"
            name="name"
            hint={server ? 'Renaming makes it a new server, so you are asked again.' : undefined}
            {...input('name')}
          />
          {accountOf ? null : (
            <RadioGroup
              label="Kind"
              options={[
                { value: 'local', label: 'Local program', hint: 'Runs on this computer' },
                { value: 'remote', label: 'Remote server', hint: 'At a URL' },
              ]}
              {...input('kind')}
            />
          )}
          {draft.kind === 'local' ? (
            <LocalFields
              draft={draft}
              onChange={change}
              errors={errors}
              onBrowse={folder.open}
              typed={typed}
              onFound={form.fill}
            />
          ) : (
            <RemoteFields draft={draft} onChange={change} errors={errors} />
          )}
          <AdvancedFields draft={draft} onChange={change} errors={errors} />
          <p className="meta">
            {server ? 'If what it runs changes, you are asked again.' : 'You are asked before it is started or contacted.'}
          </p>
        </div>
      </FormDialog>
      {folder.dialog}
    </>
  )
}

function noticeText({ from }: Filled): string {
  if (from.is === 'line') return 'Split into command, arguments and variables.'
  const name = from.is === 'servers' ? from.servers[0]?.name : undefined
  return `Filled in from your paste${name ? `: ${visibleText(name)}` : ''}.`
}

/** Rarely needed fields, which open when one has a problem. */
function AdvancedFields({ draft, onChange, errors }: DraftFieldsProps) {
  const all = useHost((mirror) => mirror.host.settings.serverTimeouts)
  const field = draftFields(draft, onChange, Object.fromEntries(errors))
  const wrong = TIMEOUT_FIELDS.some(({ field }) => errors.has(field))
  return (
    <Disclosure summary="Advanced" open={wrong || undefined}>
      <div className="column-4">
        {TIMEOUT_FIELDS.map(({ field: name, label, hint }) => (
          <SpinField
            key={name}
            label={label}
            hint={`${hint} Empty: ${all[name] / SECOND}, as in Settings.`}
            minimum={TIMEOUT_RANGE.least}
            maximum={TIMEOUT_RANGE.most}
            {...field(name)}
          />
        ))}
        <Select label="Protocol version" hint="Automatic: found by asking the server." options={ERAS} {...field('era')} />
        <Switch
          label="Draft profile"
          hint="For servers built on the elicitation draft: sends reject instead of decline."
          checked={draft.draftProfile}
          onChange={(draftProfile) => onChange({ draftProfile })}
        />
      </div>
    </Disclosure>
  )
}

function RemoteFields({ draft, onChange, errors }: DraftFieldsProps) {
  const field = draftFields(draft, onChange, Object.fromEntries(errors))
  const place = useSecretPlace()
  return (
    <>
      <TextField code required label="URL" name="url" placeholder="https://example.org/mcp" inputMode="url" {...field('url')} />
      <PairRows
        legend="Headers"
        hint={`Sent to this address only. Values that look secret are stored ${place}.`}
        nameLabel="Header"
        addLabel="Add header"
        field="headers"
        {...field('headers')}
        errors={errors}
      />
      <SignInFields draft={draft.signIn} onChange={(signIn) => onChange({ signIn })} errors={errors} />
    </>
  )
}
