import type { ReviewedPackage } from '../../../src-shared/contract/imports.ts'
import { bytes as byteSize, counted, listed } from '../../ui/amounts.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { Fact } from '../labels/Fact.tsx'

interface PackageFactsProps {
  readonly about: ReviewedPackage
  /** It runs on this computer. */
  readonly local: boolean
}

/** Publisher, source and dangers of a published server. All but the hash and the dangers is the publisher's claim. */
export function PackageFacts({ about, local }: PackageFactsProps) {
  const { is, title, version, description, publisher, source, sha256, files, bytes, signed, tools, privacyPolicies, needs } =
    about
  return (
    <>
      {about.alarms.map((alarm) => (
        <p key={alarm} className="ui-refusal">
          <VisibleText text={alarm} />
        </p>
      ))}
      {description === '' ? null : <VisibleText as="p" text={description} />}
      <dl className="column-1">
        <Fact name="Publisher">
          <VisibleText text={publisher} /> <span className="meta">{publisherNote(about)}</span>
        </Fact>
        <Fact name="Version">
          <VisibleText text={version} />
          {is === 'entry' && title !== '' ? (
            <span className="meta">
              {' of '}
              <VisibleText text={title} />
            </span>
          ) : null}
        </Fact>
        <Fact name="From">
          <VisibleText text={source} />
          {signed ? <span className="meta"> signed, not checked</span> : null}
        </Fact>
        {sha256 === undefined ? null : (
          <Fact name="SHA-256">
            <code className="server-code">{sha256}</code>
          </Fact>
        )}
        {files === undefined ? null : <Fact name="Files">{`${counted(files, 'file')}, ${byteSize(bytes ?? 0)}`}</Fact>}
        {needs.length > 0 ? (
          <Fact name="Needs">
            <VisibleText text={listed(needs)} />
          </Fact>
        ) : null}
        {tools.length > 0 ? (
          <Fact name="Tools it names">
            <VisibleText text={listed(tools)} />
          </Fact>
        ) : null}
        {privacyPolicies.length > 0 ? (
          <Fact name="Privacy">
            <VisibleText text={listed(privacyPolicies)} />
          </Fact>
        ) : null}
      </dl>
      {local ? <p className="import-warning">Once you allow it, it can do whatever you can do on this computer.</p> : null}
    </>
  )
}

function publisherNote({ is, confirmed }: ReviewedPackage): string {
  if (confirmed !== undefined) return confirmed ? 'confirmed by the package' : 'not confirmed by the package'
  return is === 'bundle' ? 'as it says itself' : 'as its entry says'
}
