import { useId } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import { AUTHORITIES_LENGTH, type CertificateView } from '../../../src-shared/contract/settings.ts'
import { changeSettings } from '../../state/ask.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { dayOf } from '../../ui/time.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface AuthoritiesFieldProps {
  /** Undefined while unknown. */
  readonly certificates: readonly CertificateView[] | undefined
}

/** Additional certificate authorities from a PEM file. */
export function AuthoritiesField({ certificates = [] }: AuthoritiesFieldProps) {
  const id = useId()
  const { busy, problem, run } = useAction()
  const set = (authorities: string) => changeSettings({ authorities })
  const take = (file: File) =>
    run(async () => {
      if (file.size > AUTHORITIES_LENGTH) throw new HostError('refused', 'This file is too large to hold certificates alone.')
      await set(await file.text())
    })
  const pem = useFileInput({
    label: 'Certificate authorities as PEM',
    accept: '.pem,.crt,.cer,.cert,application/x-pem-file',
    onFiles: ([file]) => void take(file),
  })
  return (
    <section className="column" aria-labelledby={`${id}-title`}>
      <div>
        <h3 className="network-title" id={`${id}-title`}>
          Additional certificate authorities
        </h3>
        <p className="meta">Trusted besides the system’s, for example your company’s. Their owners can read what Parley sends.</p>
      </div>
      {certificates.length > 0 ? (
        <ul className="network-authorities" aria-label="Certificates">
          {certificates.map((certificate) => (
            <li key={certificate.fingerprint} title={`SHA-256 ${certificate.fingerprint}`}>
              <Certificate certificate={certificate} />
            </li>
          ))}
        </ul>
      ) : null}
      <div className="line">
        <Button disabled={busy} onClick={pem.choose}>
          {certificates.length > 0 ? 'Choose another PEM file' : 'Choose a PEM file'}
        </Button>
        {certificates.length > 0 ? (
          <Button variant="quiet" disabled={busy} onClick={() => void run(() => set(''))}>
            Remove {certificates.length > 1 ? 'certificates' : 'certificate'}
          </Button>
        ) : null}
        {pem.input}
      </div>
      <FailureLine problem={problem} />
    </section>
  )
}

function Certificate({ certificate: { subject, issuer, expiresAt } }: { readonly certificate: CertificateView }) {
  return (
    <>
      <VisibleText text={subject} />{' '}
      <span className="meta">
        {issuer === undefined ? null : (
          <>
            by <VisibleText text={issuer} />,{' '}
          </>
        )}
        {expiresAt < systemClock.now() ? 'expired' : 'expires'} {dayOf(expiresAt)}
      </span>
    </>
  )
}
