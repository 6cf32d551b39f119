import { type ClipboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerConfig, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { openImport } from '../../state/import-actions.ts'
import { navigate } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { Command } from '../words/command-line.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { LocalFields } from './LocalFields.tsx'
import { type PastedServer, recognised } from './pasted-config.ts'
import { RemoteFields } from './RemoteFields.tsx'
import { checkDraft, type DraftField, draftOf, emptyDraft, fillFrom, fillFromLine, type ServerDraft } from './server-draft.ts'
import '../words/servers.css'

const NO_ERRORS: ReadonlyMap<DraftField, string> = new Map()

export interface ServerEditorProps {
  /** The server to edit; a new one without it. */
  readonly server?: ServerRecord
  /** What is to be corrected: it has the focus. */
  readonly field?: Extract<Remedy, { is: 'edit' }>['field']
  readonly onClose: () => void
}

/** The dialog "Add server" or "Edit server". */
export function ServerEditor({ server, field, onClose }: ServerEditorProps) {
  const first = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const servers = useHost((mirror) => mirror.host.servers)
  const [before] = useState(() => (server ? draftOf(server) : emptyDraft()))
  const [draft, setDraft] = useState(before)
  const [judged, setJudged] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [pasted, setPasted] = useState<readonly PastedServer[]>([])
  const [split, setSplit] = useState(false)
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
  const fill = (entries: readonly PastedServer[]) => {
    const [entry] = entries
    if (!entry) return
    setPasted(entries)
    setDraft((now) => fillFrom({ ...now, name: pasted.some((one) => one.name === now.name) ? '' : now.name }, entry))
  }
  const takeApart = (line: Command) => {
    setDraft((now) => ({ ...fillFromLine(now, line), kind: 'local' }))
    setSplit(true)
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const { target } = event
    const found = target instanceof HTMLInputElement ? recognised(event.clipboardData.getData('text'), target.name) : undefined
    // What stands in the field already is edited, not replaced.
    if (!found || (found.is !== 'servers' && target instanceof HTMLInputElement && target.value !== '')) return
    event.preventDefault()
    if (found.is === 'servers' && found.servers.length > 1 && !server) {
      onClose()
      openImport({ text: event.clipboardData.getData('text') })
    } else if (found.is === 'servers') fill(found.servers)
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
          {pasted.length > 0 ? (
            <PastedNotice servers={pasted} onChoose={(one) => fill([one, ...pasted.filter((other) => other !== one)])} />
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

interface PastedNoticeProps {
  readonly servers: readonly PastedServer[]
  readonly onChoose: (one: PastedServer) => void
}

function PastedNotice({ servers, onChoose }: PastedNoticeProps) {
  const [first, ...others] = servers
  return (
    <div className="editor-notice framed" role="status">
      <span>Filled in from your paste{first?.name ? `: ${visibleText(first.name)}` : ''}. Check before you save.</span>
      {others.length > 0 ? (
        <span className="editor-others">
          {others.length} more:
          {others.slice(0, 20).map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other key
            <Button key={at} size="small" onClick={() => onChoose(one)}>
              {visibleText(one.name ?? one.command ?? one.url ?? 'unnamed')}
            </Button>
          ))}
        </span>
      ) : null}
    </div>
  )
}
