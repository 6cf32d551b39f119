import { useState } from 'react'
import type { ImportReviewId } from '../../../src-shared/contract/ids.ts'
import type { ReviewedPackage, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import type { PackageOwner } from '../../../src-shared/contract/registries.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { bytes as byteSize, counted, listed } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface PackageFactsProps {
  readonly review: ImportReviewId
  readonly server: ReviewedServer
  readonly about: ReviewedPackage
  /** It runs on this computer. */
  readonly local: boolean
}

/** Publisher, source and dangers of a published server. All but the hash and the dangers is the publisher's claim. */
export function PackageFacts({ review, server, about, local }: PackageFactsProps) {
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
          <VisibleText text={publisher} /> <span className="meta">{is === 'bundle' ? 'says the bundle' : 'says its entry'}</span>{' '}
          {about.knownAt === undefined ? null : <Owner review={review} server={server} at={about.knownAt} />}
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
            <code className="breaks">{sha256}</code>
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
        {about.afterwards ? (
          <Fact name="After installing, it says">
            <VisibleText text={about.afterwards} />
          </Fact>
        ) : null}
      </dl>
      {local ? <p className="tone-wait">Once you allow it, it can do whatever you can do on this computer.</p> : null}
    </>
  )
}

interface OwnerProps {
  readonly review: ImportReviewId
  readonly server: ReviewedServer
  readonly at: string
}

/** Its package can say whose it is. Nobody but the registry is asked before the person wants to know (REG-4). */
function Owner({ review, server: { key }, at }: OwnerProps) {
  const [owner, setOwner] = useState<PackageOwner>()
  if (!owner) {
    return (
      <Button size="small" onClick={() => void attempt(ask('registry.confirm', { review, key }).then(setOwner))}>
        Check at <VisibleText text={at} />
      </Button>
    )
  }
  if (owner.says !== undefined) {
    return (
      <p className="ui-refusal">
        Its package says that it is “<VisibleText text={owner.says} />
        ”.
      </p>
    )
  }
  return <p role="status">{owner.confirmed ? 'Its package confirms it.' : 'Its package does not confirm it.'}</p>
}
