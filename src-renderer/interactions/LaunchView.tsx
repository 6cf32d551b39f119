import type { ReactNode } from 'react'
import { webAddress } from '../../src-shared/base/web-address.ts'
import type { FencePolicy, LaunchSummary, LaunchVariable } from '../../src-shared/contract/servers.ts'
import { EmphasisedText } from '../content/text/EmphasisedText.tsx'
import { AddressView } from '../ui/AddressView.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

export const CAN: Readonly<Record<NonNullable<LaunchVariable['can']>, string>> = {
  'load-code': 'can load other code',
  'change-downloads': 'can change what is downloaded',
  'redirect-traffic': 'can redirect its traffic',
  unknown: 'not known to be harmless',
}

/** Exactly what would run, or be contacted; nothing is cut. */
export function LaunchView({ launch }: { readonly launch: LaunchSummary }) {
  if (launch.type === 'remote') {
    const address = webAddress(launch.url)
    return (
      <dl className="launch framed">
        <Line term="Address">{address ? <AddressView address={address} /> : <EmphasisedText text={launch.url} />}</Line>
        <Line term="Host">
          <VisibleText as="strong" text={launch.host} />
        </Line>
        <Line term="Headers">
          <Variables variables={launch.headers} />
        </Line>
      </dl>
    )
  }
  const scripts = launch.code?.filter((file) => !launch.args.includes(file)) ?? []
  return (
    <dl className="launch framed">
      <Line term="Command">
        <EmphasisedText text={launch.command} />
      </Line>
      <Line term="Runs">
        {launch.resolved === undefined ? (
          <span className="tone-fail medium">Not found on this computer</span>
        ) : (
          <EmphasisedText text={launch.resolved} />
        )}
      </Line>
      <Line term="Arguments">
        {launch.args.length === 0 ? (
          <span className="soft">None</span>
        ) : (
          <ol className="launch-args column-tight">
            {launch.args.map((argument, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: arguments are told apart by their place only
              <li key={index}>{argument === '' ? <span className="soft">empty</span> : <EmphasisedText text={argument} />}</li>
            ))}
          </ol>
        )}
      </Line>
      {scripts.length > 0 ? (
        <Line term="Script">
          <ul className="launch-args column-tight">
            {scripts.map((file) => (
              <li key={file}>
                <EmphasisedText text={file} />
              </li>
            ))}
          </ul>
        </Line>
      ) : null}
      {launch.open ? (
        <Line term="Not pinned">
          <VisibleText text={launch.open} />
        </Line>
      ) : null}
      <Line term="Working folder">
        <EmphasisedText text={launch.cwd} />
      </Line>
      {launch.fence ? (
        <Line term="Fence">
          <ul className="launch-args column-tight">
            <li>
              <NetworkReach network={launch.fence.network} />
            </li>
            {launch.fence.folders.map(({ path, write }) => (
              <li key={path}>
                {write ? 'Changes files in' : 'Reads'} <EmphasisedText text={path} />
              </li>
            ))}
          </ul>
        </Line>
      ) : null}
      <Line term="Environment">
        <Variables variables={launch.env} />
      </Line>
    </dl>
  )
}

function NetworkReach({ network }: Pick<FencePolicy, 'network'>) {
  if (network === 'any') return 'Uses the network'
  if (network === 'none' || network.hosts.length === 0) return 'No network'
  return (
    <>
      Reaches <EmphasisedText text={network.hosts.join(', ')} />
    </>
  )
}

function Line({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Every value but those that lie in the secret store. */
function Variables({ variables }: { readonly variables: readonly LaunchVariable[] }) {
  if (variables.length === 0) return <span className="soft">None</span>
  return (
    <ul className="launch-args column-tight">
      {variables.map((variable) => (
        <li key={variable.name}>
          <VisibleText text={variable.name} />
          {variable.value === undefined ? (
            <span className="meta"> (stored secret)</span>
          ) : (
            <>
              {' = '}
              <EmphasisedText text={variable.value} />
            </>
          )}
          {variable.can ? (
            <span className={variable.can === 'unknown' ? 'meta' : 'tone-fail medium'}> {CAN[variable.can]}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
