import { type ClipboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerConfig, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { draftFields } from '../../forms/draft-fields.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate, openImport } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { LocalFields } from './LocalFields.tsx'
import { type PastedServer, type Recognised, recognised, typedCommandLine } from './pasted-config.ts'
import { RemoteFields } from './RemoteFields.tsx'
import {
  checkDraft,
  type DraftField,
  emptyDraft,
  fillFrom,
  fillFromLine,
  type ServerDraft,
  serverDraftOf,
} from './server-draft.ts'
import '../labels/servers.css'

const NO_ERRORS: ReadonlyMap<DraftField, string> = new Map()

export interface ServerEditorProps {
  /** The edited server; absent for a new one. */
  readonly server?: ServerRecord
  /** The field to focus. */
  readonly field?: Extract<Remedy, { is: 'edit' }>['field']
  /** A command or an address that was pasted outside of the form. */
  readonly given?: Recognised | undefined
  readonly onClose: () => void
}

/** The values of the form before and after a paste filled it. */
interface Filled {
  readonly from: Recognised
  readonly text: string
  readonly before: ServerDraft
  readonly after: ServerDraft
}

export function ServerEditor({ server, field, given, onClose }: ServerEditorProps) {
  const first = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const servers = useHost((mirror) => mirror.host.servers)
  const [before] = useState(() => (server ? serverDraftOf(server) : emptyDraft()))
  const [filled, setFilled] = useState<Filled | undefined>(
    () => given && { from: given, text: '', before, after: filledFrom(before, given) },
  )
  const [draft, setDraft] = useState(filled?.after ?? before)
  const [judged, setJudged] = useState(false)
  const [leaving, setLeaving] = useState(false)
  /** After Undo, pasting the same text inserts it literally. */
  const literal = useRef('')
  const saving = useRef(false)
  // Runs after the dialog, which takes the focus first.
  useLayoutEffect(() => {
    const wanted = field && body.current?.querySelector<HTMLElement>(`[name="${field}"], [data-field="${field}"] input`)
    wanted?.focus()
  }, [field])

  const taken = useMemo(
    () => new Set(Object.values(servers).flatMap((one) => (one.id === server?.id ? [] : [one.id, one.name]))),
    [servers, server?.id],
  )
  const typed = literal.current === draft.command ? undefined : typedCommandLine(draft.command, draft.args)
  const saved = typed && draft.kind === 'local' ? filledFrom(draft, typed) : draft
  const check = checkDraft(saved, taken)
  const errors = judged && !check.ok ? check.errors : NO_ERRORS
  const change = (part: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...part }))
  const input = draftFields(draft, change, Object.fromEntries(errors))
  const fill = (found: Recognised, text: string) => {
    if (found.is === 'servers' && found.servers.length > 1 && !server) {
      onClose()
      return openImport({ text })
    }
    const from = found.is === 'servers' ? matchingServer(found.servers, server?.name) : found
    // A name that was filled in is replaced by the next one.
    const named = filled?.from.is === 'servers' ? filled.from.servers[0]?.name : undefined
    const after = filledFrom(from.is === 'servers' && draft.name === named ? { ...draft, name: '' } : draft, from)
    setFilled({ from, text, before: draft, after })
    setDraft(after)
  }
  const undo = () => {
    if (!filled) return
    literal.current = filled.text
    setDraft(filled.before)
    setFilled(undefined)
    // The clicked button disappears.
    first.current?.focus()
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const { target } = event
    const text = event.clipboardData.getData('text')
    if (!(target instanceof HTMLInputElement) || text === literal.current) return
    const found = recognised(text, fieldOf(target), draft.kind === 'local' ? draft.command : '')
    // A paste into a field with a value edits only that field.
    if (!found || (found.is !== 'servers' && target.value !== '')) return
    event.preventDefault()
    fill(found, text)
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
          {server ? null : <p className="meta">Paste a command, URL or JSON into any empty field. Values stay as pasted.</p>}
          <TextField
            ref={first}
            required
            label="Name"
            name="name"
            hint={server ? 'Renaming makes it a new server, so you are asked again.' : undefined}
            {...input('name')}
          />
          <RadioGroup
            label="Kind"
            options={[
              { value: 'local', label: 'Local program', hint: 'Runs on this computer with your permissions' },
              { value: 'remote', label: 'Remote server', hint: 'At a URL' },
            ]}
            {...input('kind')}
          />
          {draft.kind === 'local' ? (
            <LocalFields draft={draft} onChange={change} errors={errors} onBrowse={folder.open} typed={typed} onFound={fill} />
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
      {leaving ? (
        <ConfirmDialog title="Discard what you typed?" confirm="Discard" onConfirm={onClose} onCancel={() => setLeaving(false)}>
          <p>Nothing was saved.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** The name of the field; `pair` for a row, `number` for a number, empty for fields of any text. */
function fieldOf(input: HTMLInputElement): string {
  if (input.name !== '') return input.name
  return input.matches('.pair > :first-child input') ? 'pair' : input.matches('[role="spinbutton"]') ? 'number' : ''
}

function matchingServer(servers: readonly PastedServer[], name: string | undefined): Recognised {
  const named = servers.filter((one) => one.name === name)
  return { is: 'servers', servers: (named.length > 0 ? named : servers).slice(0, 1) }
}

function noticeText({ from }: Filled): string {
  if (from.is === 'line') return 'Split into command, arguments and variables.'
  const name = from.is === 'servers' ? from.servers[0]?.name : undefined
  return `Filled in from your paste${name ? `: ${visibleText(name)}` : ''}.`
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
