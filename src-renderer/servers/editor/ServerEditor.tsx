import { type ClipboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerConfig, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate, openImport } from '../../state/view-store.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { Command } from '../words/command-line.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { LocalFields } from './LocalFields.tsx'
import { type PastedServer, type Recognised, recognised } from './pasted-config.ts'
import { RemoteFields } from './RemoteFields.tsx'
import { checkDraft, type DraftField, draftOf, emptyDraft, fillFrom, fillFromLine, type ServerDraft } from './server-draft.ts'
import '../words/servers.css'

const NO_ERRORS: ReadonlyMap<DraftField, string> = new Map()

export interface ServerEditorProps {
  /** The server to edit; a new one without it. */
  readonly server?: ServerRecord
  /** What is to be corrected: it has the focus. */
  readonly field?: Extract<Remedy, { is: 'edit' }>['field']
  /** What was pasted outside of the form: a command or an address. */
  readonly given?: Recognised | undefined
  readonly onClose: () => void
}

/** The dialog "Add server" or "Edit server". */
export function ServerEditor({ server, field, given, onClose }: ServerEditorProps) {
  const first = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const servers = useHost((mirror) => mirror.host.servers)
  const [before] = useState(() => (server ? draftOf(server) : emptyDraft()))
  const [draft, setDraft] = useState(() => (given ? filledFrom(before, given) : before))
  const [judged, setJudged] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [pasted, setPasted] = useState<PastedServer>()
  const [split, setSplit] = useState(given?.is === 'line')
  const saving = useRef(false)
  // After the dialog, which takes the focus first.
  useLayoutEffect(() => {
    const wanted =
      field && body.current?.querySelector<HTMLElement>(`input[data-field="${field}"], [data-field="${field}"] input`)
    wanted?.focus()
  }, [field])

  const taken = useMemo(
    () => new Set(Object.values(servers).flatMap((one) => (one.id === server?.id ? [] : [one.id, one.name]))),
    [servers, server?.id],
  )
  const check = useMemo(() => checkDraft(draft, taken), [draft, taken])
  const errors = judged && !check.ok ? check.errors : NO_ERRORS
  const change = (part: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...part }))
  const fill = (entries: readonly PastedServer[], text: string) => {
    if (entries.length > 1 && !server) {
      onClose()
      return openImport({ text })
    }
    const entry = entries.find(({ name }) => name === server?.name) ?? entries[0]
    if (!entry) return
    setPasted(entry)
    setDraft((now) => fillFrom({ ...now, name: pasted?.name === now.name ? '' : now.name }, entry))
  }
  const takeApart = (line: Command) => {
    setDraft((now) => filledFrom(now, { is: 'line', line }))
    setSplit(true)
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const { target } = event
    const text = event.clipboardData.getData('text')
    const found = target instanceof HTMLInputElement ? recognised(text, target.name) : undefined
    // What stands in the field already is edited, not replaced.
    if (!found || (found.is !== 'servers' && target instanceof HTMLInputElement && target.value !== '')) return
    event.preventDefault()
    if (found.is === 'servers') fill(found.servers, text)
    else if (found.is === 'line') takeApart(found.line)
    else change({ kind: 'remote', url: found.url })
  }
  const folder = useFolderPicker('Choose the working folder', (cwd) => change({ cwd }), draft.cwd)
  const close = () => {
    if (saving.current) return
    if (draft === before) onClose()
    else setLeaving(true)
  }
  const save = async (config: ServerConfig) => {
    saving.current = true
    try {
      if (!server) return await ask('server.add', { config })
      const { serverId } = await ask('server.change', { serverId: server.id, config })
      if (serverId !== server.id) navigate({ section: 'servers', id: serverId })
    } finally {
      saving.current = false
    }
  }
  const submit = () => {
    setJudged(true)
    return check.ok ? save(check.config) : undefined
  }
  return (
    <>
      <FormDialog
        title={server ? 'Edit server' : 'Add server'}
        initialFocus={first}
        verb="Save"
        onSubmit={submit}
        onCancel={close}
        onClose={onClose}
        onPaste={paste}
      >
        <div className="column-4" ref={body}>
          {pasted ? (
            <p className="editor-notice framed" role="status">
              Filled in from your paste{pasted.name ? `: ${visibleText(pasted.name)}` : ''}. Check before you save.
            </p>
          ) : null}
          {server ? null : <p className="meta">Paste a command, URL or JSON into any field.</p>}
          <TextField
            ref={first}
            required
            label="Name"
            name="name"
            hint={server ? 'A new name makes it a new server: you are asked again.' : undefined}
            problem={errors.get('name')}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <RadioGroup
            label="Kind"
            options={[
              { value: 'local', label: 'Local program', hint: 'Started on this computer, with your rights' },
              { value: 'remote', label: 'Remote server', hint: 'Reached by its address' },
            ]}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
          {draft.kind === 'local' ? (
            <LocalFields
              draft={draft}
              onChange={change}
              errors={errors}
              onBrowse={folder.open}
              onPasted={fill}
              onLine={takeApart}
              split={split}
            />
          ) : (
            <RemoteFields draft={draft} onChange={change} errors={errors} />
          )}
          <AdvancedFields draft={draft} onChange={change} errors={errors} />
          <p className="meta">
            {server ? 'When its launch changes, you are asked again.' : 'You are asked before anything is started or contacted.'}
          </p>
        </div>
      </FormDialog>
      {folder.dialog}
      {leaving ? (
        <ConfirmDialog title="Discard what you typed?" confirm="Discard" onConfirm={onClose} onCancel={() => setLeaving(false)}>
          <p>Nothing was saved.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function filledFrom(draft: ServerDraft, given: Recognised): ServerDraft {
  switch (given.is) {
    case 'servers':
      return given.servers[0] ? fillFrom(draft, given.servers[0]) : draft
    case 'line':
      return { ...fillFromLine(draft, given.line), kind: 'local' }
    case 'url':
      return { ...draft, kind: 'remote', url: given.url }
  }
}
