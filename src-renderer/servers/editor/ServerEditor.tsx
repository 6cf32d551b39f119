import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { FolderPicker } from '../../forms/FolderPicker.tsx'
import { useFolderPicker } from '../../forms/use-folder-picker.ts'
import { addServer, changeServer, failureText, folderPowers } from '../../state/actions.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup, TextField } from '../../ui/fields.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { LocalFields } from './LocalFields.tsx'
import type { PastedServer } from './pasted-config.ts'
import { RemoteFields } from './RemoteFields.tsx'
import { checkDraft, type DraftField, draftOf, emptyDraft, fillFrom, type ServerDraft } from './server-draft.ts'
import '../words/servers.css'

const NO_ERRORS: ReadonlyMap<DraftField, string> = new Map()

export interface ServerEditorProps {
  /** The server to edit; a new one without it. */
  readonly server?: ServerRecord
  readonly onClose: () => void
}

/** The dialog "Add server" or "Edit server". */
export function ServerEditor({ server, onClose }: ServerEditorProps) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const servers = useHost((mirror) => mirror.host.servers)
  const native = useHost((mirror) => mirror.host.shell === 'electron')
  const [before] = useState(() => (server ? draftOf(server) : emptyDraft()))
  const [draft, setDraft] = useState(before)
  const [failures, setFailures] = useState(0)
  const [refusal, setRefusal] = useState<string | undefined>()
  const [saving, setSaving] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [pasted, setPasted] = useState<readonly PastedServer[]>([])

  const taken = useMemo(
    () => new Set(Object.values(servers).flatMap((one) => (one.id === server?.id ? [] : [one.id, one.name]))),
    [servers, server?.id],
  )
  const check = useMemo(() => checkDraft(draft, taken), [draft, taken])
  const errors = failures > 0 && !check.ok ? check.errors : NO_ERRORS
  useEffect(() => {
    if (failures > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failures])

  const change = (part: Partial<ServerDraft>) => {
    setRefusal(undefined)
    setDraft((now) => ({ ...now, ...part }))
  }
  const fill = (entries: readonly PastedServer[]) => {
    const [entry] = entries
    if (!entry) return
    setPasted(entries)
    setDraft((now) => fillFrom({ ...now, name: pasted.some((one) => one.name === now.name) ? '' : now.name }, entry))
  }
  const folder = useFolderPicker({ ...folderPowers, native }, 'Choose the working folder', (cwd) => change({ cwd }))
  const close = () => {
    if (saving) return
    if (draft === before) onClose()
    else setLeaving(true)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    // The button stays enabled: disabling it would drop the focus out of the dialog.
    if (saving) return
    if (!check.ok) {
      setFailures((count) => count + 1)
      return
    }
    setSaving(true)
    try {
      if (server) {
        const { serverId } = await changeServer(server.id, check.config)
        if (serverId !== server.id) navigate({ section: 'servers', id: serverId })
      } else {
        await addServer(check.config)
      }
      onClose()
    } catch (error) {
      setRefusal(failureText(error))
      setSaving(false)
    }
  }
  return (
    <Dialog
      title={server ? 'Edit server' : 'Add server'}
      onEscape={close}
      closeLabel="Close"
      initialFocus={first}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={id}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} ref={form} className="editor" noValidate onSubmit={save}>
        {refusal ? (
          <p className="editor-refusal" role="alert">
            {refusal}
          </p>
        ) : null}
        {pasted.length > 0 ? (
          <PastedNotice servers={pasted} onChoose={(one) => fill([one, ...pasted.filter((other) => other !== one)])} />
        ) : null}
        <TextField
          ref={first}
          required
          label="Name"
          hint={server ? 'A new name makes it a new server: what was allowed before is asked again.' : undefined}
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
          <LocalFields draft={draft} onChange={change} errors={errors} onBrowse={folder.open} onPasted={fill} />
        ) : (
          <RemoteFields draft={draft} onChange={change} errors={errors} />
        )}
        <AdvancedFields draft={draft} onChange={change} errors={errors} />
        <p className="meta">
          {server
            ? 'When the program, its arguments, variables or the address change, you are asked again before it starts.'
            : 'You are shown exactly what would be started or contacted, and asked, before it happens.'}
        </p>
      </form>
      {folder.isOpen ? (
        <FolderPicker list={folderPowers.list} start={draft.cwd} onChoose={folder.choose} onClose={folder.close} />
      ) : null}
      {leaving ? (
        <ConfirmDialog title="Discard what you typed?" confirm="Discard" onConfirm={onClose} onCancel={() => setLeaving(false)}>
          <p>Nothing was saved.</p>
        </ConfirmDialog>
      ) : null}
    </Dialog>
  )
}

function PastedNotice({
  servers,
  onChoose,
}: {
  readonly servers: readonly PastedServer[]
  readonly onChoose: (one: PastedServer) => void
}) {
  const [first, ...others] = servers
  return (
    <div className="editor-notice" role="status">
      <span>
        Filled in from what you pasted{first?.name ? `: ${visibleText(first.name)}` : ''}. Look it over before you save.
      </span>
      {others.length > 0 ? (
        <span className="editor-others">
          It holds {others.length} more:
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
