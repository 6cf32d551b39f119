import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type BackupFile, PASSPHRASE } from '../../../src-shared/contract/backups.ts'
import { ask } from '../../state/ask.ts'
import { saveFrom } from '../../state/save-file.ts'
import { useAction } from '../../state/use-action.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { useShare } from './use-share.ts'

/** Makes one file of everything and saves it. Closing gives it up. */
export function BackupDialog({ onClose }: { readonly onClose: () => void }) {
  const [secrets, setSecrets] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [judged, setJudged] = useState(false)
  const [made, setMade] = useState<BackupFile>()
  const { busy, problem, run } = useAction()
  const share = useShare(busy)
  const giveUp = useRef<AbortController>(undefined)
  useEffect(() => () => giveUp.current?.abort(), [])
  const short = secrets && passphrase.length < PASSPHRASE.least ? `At least ${PASSPHRASE.least} characters.` : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(true)
    if (busy || short) return
    const controller = new AbortController()
    giveUp.current = controller
    void run(async () => {
      const file = await ask('backup.make', secrets ? { passphrase } : {}, controller.signal)
      setMade(file)
      saveFrom(file.url, file.name)
    })
  }
  if (made) {
    return (
      <Dialog size="small" title="Backed up" onEscape={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <p role="status">
          <code>{made.name}</code> ({bytes(made.bytes)}) is being saved where your downloads go.
        </p>
        <LeftOut {...made} />
        <p className="meta">
          <a href={made.url} download={made.name}>
            Save it again
          </a>{' '}
          within the hour.
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      size="small"
      title="Back up"
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="back-up" variant="primary">
            Back up
          </Button>
        </>
      }
    >
      <form id="back-up" className="column-4" noValidate onSubmit={submit}>
        <p>
          One file with your conversations, files, settings and servers. It is not encrypted: keep it where only you can read it.
        </p>
        <Checkbox
          label="With secrets"
          hint="Model keys, sign-ins, secret variables and headers, encrypted with a passphrase."
          checked={secrets}
          disabled={busy}
          onChange={setSecrets}
        />
        {secrets ? (
          <SecretField
            label="Passphrase"
            required
            autoComplete="new-password"
            hint="Without it, the secrets cannot be recovered."
            problem={judged ? short : undefined}
            value={passphrase}
            onChange={setPassphrase}
          />
        ) : null}
        {busy ? <progress aria-label="Backing up" value={share} max={1} /> : null}
        <FailureLine problem={problem} />
      </form>
    </Dialog>
  )
}

function LeftOut({ secretsLeftOut, blobsLeftOut }: BackupFile) {
  return (
    <>
      {secretsLeftOut > 0 ? (
        <p>{counted(secretsLeftOut, 'secret')} of the desktop app could not be opened here and were left out.</p>
      ) : null}
      {blobsLeftOut > 0 ? <p>{counted(blobsLeftOut, 'file')} could not be read and were left out.</p> : null}
    </>
  )
}
