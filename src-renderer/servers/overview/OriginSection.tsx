import { useState } from 'react'
import { hostOf } from '../../../src-shared/base/hosts.ts'
import type { ServerOrigin } from '../../../src-shared/contract/registries.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { useAction } from '../../state/use-action.ts'
import { useRequest } from '../../state/use-request.ts'
import { announce, openImport } from '../../state/view-store.ts'
import { listed } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Section } from '../../ui/Section.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

/** The bundle or registry that a server came from, a way to newer versions, and one back. */
export function OriginSection({ server }: { readonly server: ServerRecord }) {
  const refetchOn = [server.launchIdentity, server.state.is, server.catalog.version]
  const origin = useRequest('server.origin', { serverId: server.id }, { refetchOn }).value?.origin
  if (!origin) return null
  return (
    <Section title="Where it came from">
      <Facts origin={origin} />
      {origin.tools ? <ToolDifferences {...origin.tools} /> : null}
      <Versions server={server} origin={origin} />
    </Section>
  )
}

function Facts({ origin: { bundle, registry } }: { readonly origin: ServerOrigin }) {
  return (
    <dl className="column-1">
      {registry ? (
        <>
          <Fact name="Registry">
            <VisibleText text={hostOf(registry.address)} />
          </Fact>
          <Fact name="Entry">
            <VisibleText text={registry.name} /> <VisibleText as="span" className="meta" text={registry.version} />
          </Fact>
        </>
      ) : null}
      {bundle ? (
        <>
          <Fact name="Bundle">
            <VisibleText text={bundle.title} /> <VisibleText as="span" className="meta" text={bundle.version} />
          </Fact>
          <Fact name="Publisher">
            <VisibleText text={bundle.publisher} /> <span className="meta">says the bundle</span>
          </Fact>
          <Fact name="File">
            <VisibleText text={bundle.source} />
            <span className="meta">
              {', '}
              <RelativeTime at={bundle.at} />
            </span>
          </Fact>
          <Fact name="SHA-256">
            <code className="breaks">{bundle.sha256}</code>
          </Fact>
        </>
      ) : null}
    </dl>
  )
}

function ToolDifferences({ unnamed, missing }: NonNullable<ServerOrigin['tools']>) {
  return (
    <>
      {unnamed.length > 0 ? (
        <p className="ui-refusal">
          Tools that its bundle does not name: <VisibleText text={listed(unnamed)} />
        </p>
      ) : null}
      {missing.length > 0 ? (
        <p className="meta">
          Tools that its bundle names but the server lacks: <VisibleText text={listed(missing)} />
        </p>
      ) : null}
    </>
  )
}

/** A newer version is only told; it is installed by its review. */
function Versions({ server, origin: { registry, before } }: { readonly server: ServerRecord; readonly origin: ServerOrigin }) {
  const { id: serverId } = server
  const looking = useAction()
  const going = useAction()
  const [said, setSaid] = useState<string>()
  const look = async () => {
    const { version, installed, from } = await ask('registry.latest', { serverId })
    if (version !== installed) return openImport(from)
    setSaid(`${installed} is the latest version.`)
  }
  const back = async () => {
    const { missing } = await ask('server.stepBack', { serverId })
    announce('Previous version restored')
    setSaid(missing.length > 0 ? `Enter again: ${missing.map(visibleText).join(', ')}.` : undefined)
  }
  return (
    <>
      <FailureLine framed problem={looking.problem ?? going.problem} />
      <p className="meta" role="status">
        {said}
      </p>
      <div className="actions">
        {registry ? (
          <Button size="small" aria-busy={looking.busy} onClick={() => void looking.run(look)}>
            Check for updates
          </Button>
        ) : null}
        {before === undefined ? null : (
          <GrantButton size="small" aria-busy={going.busy} onGrant={() => void going.run(back)}>
            Go back to {visibleText(before)}
          </GrantButton>
        )}
      </div>
    </>
  )
}
