import { useEffect, useState } from 'react'
import { BACKUP_PIECE, type BackupContents } from '../../../src-shared/contract/backups.ts'
import { ask } from '../../state/ask.ts'
import { attempt, failureText } from '../../state/attempt.ts'
import { sendInPieces } from '../../state/send-in-pieces.ts'
import { useAction } from '../../state/use-action.ts'
import { bytes, counted, listed } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { dayOf } from '../../ui/time.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useShare } from './use-share.ts'

/** Reads a backup, shows its contents, and restores it once the person confirms. */
export function RestoreDialog({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const [sent, setSent] = useState(0)
  const [contents, setContents] = useState<BackupContents>()
  const [refusal, setRefusal] = useState<string>()
  const share = useShare(contents === undefined && refusal === undefined && sent === 1)
  useEffect(() => {
    const giveUp = new AbortController()
    const { signal } = giveUp
    sendBackup(file, signal, setSent)
      .then((upload) => ask('backup.review', { upload }, signal))
      .then(
        (found) => signal.aborted || setContents(found),
        (error: unknown) => signal.aborted || setRefusal(failureText(error)),
      )
    return () => giveUp.abort()
  }, [file])
  const cancel = () => {
    void attempt(ask('backup.drop', {}))
    onClose()
  }
  if (contents) return <Review contents={contents} onCancel={cancel} onRestored={onClose} />
  return (
    <Dialog
      size="small"
      title={refusal === undefined ? 'Reading the backup' : 'Not restored'}
      onEscape={cancel}
      footer={<Button onClick={cancel}>{refusal === undefined ? 'Cancel' : 'Close'}</Button>}
    >
      {refusal === undefined ? (
        <>
          <p>It is unpacked and checked. Nothing is changed yet.</p>
          <progress aria-label="Reading the backup" value={(sent + (share ?? 0)) / 2} max={1} />
        </>
      ) : (
        <p role="alert">{refusal}</p>
      )}
    </Dialog>
  )
}

interface ReviewProps {
  readonly contents: BackupContents
  readonly onCancel: () => void
  readonly onRestored: () => void
}

function Review({ contents, onCancel, onRestored }: ReviewProps) {
  const { by, at, own, conversations, blobs, servers, providers, proxy, authorities } = contents
  const { instructions, projects, titleModel } = contents
  const [secrets, setSecrets] = useState(contents.secrets && !own)
  const [judged, setJudged] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const { busy, problem, run } = useAction()
  const missing = secrets && passphrase === '' ? 'Required' : undefined
  const submit = async () => {
    setJudged(true)
    if (busy || missing) return
    if (await run(() => ask('backup.restore', secrets ? { passphrase } : {}))) onRestored()
  }
  return (
    <Dialog
      title="Restore this backup?"
      onEscape={onCancel}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <GrantButton type="submit" form="restore" variant="primary" onGrant={() => void submit()}>
            Restore
          </GrantButton>
        </>
      }
    >
      <form id="restore" className="column-4" noValidate onSubmit={(event) => event.preventDefault()}>
        <dl className="column">
          <Fact name="Made">
            {dayOf(at)} by Parley <VisibleText text={by} />, {own ? 'from this data folder' : 'from another data folder'}
          </Fact>
          <Fact name="Holds">
            {listed([counted(conversations, 'conversation'), counted(blobs, 'file')])}, {bytes(contents.bytes)}
          </Fact>
          <Fact name="Servers">{servers.length > 0 ? <VisibleText text={servers.join(', ')} /> : 'None'}</Fact>
          <Fact name="Models">
            {providers.length === 0 ? 'None' : null}
            {providers.map(({ name, address }) => (
              <div key={`${name} ${address}`}>
                <VisibleText text={name} /> {address ? <span className="meta">{<VisibleText text={address} />}</span> : null}
              </div>
            ))}
          </Fact>
          {titleModel ? (
            <Fact name="Titles">
              Written by <VisibleText text={titleModel.model} /> of <VisibleText text={titleModel.provider} />
            </Fact>
          ) : null}
          {instructions ? (
            <Fact name="Instructions">
              <VisibleText as="div" className="pre-wrap" text={instructions} />
            </Fact>
          ) : null}
          {projects.length > 0 ? (
            <Fact name="Projects">
              {projects.map(({ name, instructions, files }) => (
                <div key={name}>
                  <VisibleText text={name} />
                  {files > 0 ? `, ${counted(files, 'file')} for its models` : null}
                  {instructions ? <VisibleText as="div" className="pre-wrap meta" text={instructions} /> : null}
                </div>
              ))}
            </Fact>
          ) : null}
          {proxy || authorities ? (
            <Fact name="Network">
              {proxy ? (
                <div>
                  Proxy <VisibleText text={proxy} />
                </div>
              ) : null}
              {authorities ? <div>Additional certificate authorities</div> : null}
            </Fact>
          ) : null}
          <Fact name="Secrets">{secretWords(contents)}</Fact>
        </dl>
        {contents.secrets ? (
          <>
            <Checkbox
              label="Restore its secrets"
              hint={own ? 'They replace the ones here.' : undefined}
              checked={secrets}
              onChange={setSecrets}
            />
            {secrets ? (
              <SecretField
                label="Passphrase"
                required
                problem={judged ? missing : undefined}
                autoComplete="off"
                hint="The passphrase of this backup."
                value={passphrase}
                onChange={setPassphrase}
              />
            ) : null}
          </>
        ) : null}
        <p>It replaces everything here at the next start. Your current data is kept in a folder.</p>
        {own ? null : (
          <p>
            It comes from another data folder. You are asked again before each server starts. Named places, rules that allow and
            drafts are left out, and its messages count as imported.
          </p>
        )}
        <FailureLine problem={problem} />
      </form>
    </Dialog>
  )
}

function secretWords({ secrets, own }: BackupContents): string {
  if (own) return secrets ? 'Encrypted in the backup; the ones here stay' : 'Not in the backup; the ones here stay'
  return secrets ? 'Encrypted with a passphrase' : 'None: keys and sign-ins are entered again'
}

/** Uploads a backup; gives the name of the upload. */
function sendBackup(file: Blob, signal: AbortSignal, onSent: (share: number) => void): Promise<string> {
  let pieces = 0
  return sendInPieces(file, BACKUP_PIECE, async (piece, upload) => {
    signal.throwIfAborted()
    const sent = await ask('backup.receive', { piece, ...(upload !== undefined && { upload }) })
    pieces += 1
    onSent(file.size === 0 ? 1 : Math.min(1, (pieces * BACKUP_PIECE) / file.size))
    return sent.upload
  })
}
