import { useState } from 'react'
import type { DataSizes } from '../../../src-shared/contract/backups.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useAction } from '../../state/use-action.ts'
import { useRequest } from '../../state/use-request.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { dayOf } from '../../ui/time.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { BackupDialog } from './BackupDialog.tsx'
import { OpenCopyDialog } from './OpenCopyDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import './data-settings.css'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'

/** The data folder: its path and sizes, backup and restore. */
export function DataSection() {
  const desktop = useHost((mirror) => mirror.host.shell === 'electron')
  const folder = useHost((mirror) => mirror.host.dataFolder)
  const { value, reload } = useRequest('data.read', {})
  const [open, setOpen] = useState<'backup' | 'copy' | File>()
  const restore = useFileInput({ label: 'Backup to restore', accept: '.parley-backup', onFiles: ([file]) => setOpen(file) })
  const close = () => {
    setOpen(undefined)
    reload()
  }
  return (
    <div className="settings-fields column-4">
      <div className="column-3">
        <div className="line data-folder">
          <VisibleText as="code" text={folder} />
          {desktop ? (
            <Button size="small" onClick={() => void attempt(ask('data.show', {}))}>
              Open folder
            </Button>
          ) : (
            <CopyButton text={folder} label="Copy path" />
          )}
        </div>
        {value ? <Sizes sizes={value.sizes} /> : null}
        <Unused onFreed={reload} />
        <p className="meta">
          To use another folder, start Parley with <code>--data</code> and its path.
        </p>
      </div>
      {value?.waiting ? <Waiting desktop={desktop} onDropped={reload} /> : null}
      <div className="line">
        <Button onClick={() => setOpen('backup')}>Back up …</Button>
        <Button disabled={value?.waiting ?? true} onClick={restore.choose}>
          Restore …
        </Button>
        {value?.copy && !value.waiting ? (
          <Button onClick={() => setOpen('copy')}>Open the copy of {dayOf(value.copy.at)} …</Button>
        ) : null}
        {restore.input}
      </div>
      {open === 'backup' ? <BackupDialog onClose={close} /> : null}
      {open === 'copy' && value?.copy ? <OpenCopyDialog at={value.copy.at} onClose={close} /> : null}
      {open instanceof File ? <RestoreDialog file={open} onClose={close} /> : null}
    </div>
  )
}

const KINDS: readonly (readonly [keyof DataSizes, string])[] = [
  ['database', 'Conversations, search, settings'],
  ['blobs', 'Files and results'],
  ['servers', 'Servers (mcp.json)'],
  ['secrets', 'Secrets'],
  ['earlier', 'Kept from before restoring'],
]

function Sizes({ sizes }: { readonly sizes: DataSizes }) {
  return (
    <dl className="data-sizes column-0">
      {KINDS.filter(([kind]) => kind !== 'earlier' || sizes.earlier > 0).map(([kind, label]) => (
        <div key={kind}>
          <dt>{label}</dt>
          <dd className="soft">{bytes(sizes[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Unused files; hidden when there are none. */
function Unused({ onFreed }: { readonly onFreed: () => void }) {
  const { value, reload } = useRequest('data.unused', {})
  const { busy, problem, run } = useAction()
  if (!value || value.count === 0) return null
  const free = () =>
    void run(async () => {
      await ask('data.free', {})
      reload()
      onFreed()
    })
  return (
    <div className="column">
      <div className="line">
        <span>{counted(value.count, 'file')} no longer used</span>
        <Button size="small" disabled={busy} onClick={free}>
          Free {bytes(value.bytes)}
        </Button>
      </div>
      <FailureLine problem={problem} />
    </div>
  )
}

function Waiting({ desktop, onDropped }: { readonly desktop: boolean; readonly onDropped: () => void }) {
  return (
    <div className="padded card column" role="status">
      <p>
        {desktop ? 'It is put in place when Parley next starts.' : 'Restart Parley to finish restoring.'} Your current data, with
        any changes until then, is kept in a separate folder.
      </p>
      <div className="line">
        {desktop ? (
          <Button variant="primary" onClick={() => void attempt(ask('app.restart', {}))}>
            Restart Parley
          </Button>
        ) : null}
        <Button variant="quiet" onClick={() => void attempt(ask('backup.drop', {})).then(onDropped)}>
          Do not restore
        </Button>
      </div>
    </div>
  )
}
