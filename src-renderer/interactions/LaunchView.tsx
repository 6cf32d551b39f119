import type { ReactNode } from 'react'
import type { LaunchSummary, LaunchVariable } from '../../src-shared/contract/servers.ts'
import { EmphasisedText } from '../content/text/EmphasisedText.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

/** Exactly what would run, or be contacted; nothing is cut. */
export function LaunchView({ launch }: { readonly launch: LaunchSummary }) {
  if (launch.type === 'remote') {
    return (
      <dl className="launch">
        <Line term="Address">
          <EmphasisedText text={launch.url} />
        </Line>
        <Line term="Host">
          <strong>
            <VisibleText text={launch.host} />
          </strong>
        </Line>
        <Line term="Headers">
          <Variables variables={launch.headers} />
        </Line>
      </dl>
    )
  }
  return (
    <dl className="launch">
      <Line term="Command">
        <EmphasisedText text={launch.command} />
      </Line>
      <Line term="Runs">
        {launch.resolved === undefined ? (
          <span className="launch-grave">This command was not found on this computer.</span>
        ) : (
          <EmphasisedText text={launch.resolved} />
        )}
      </Line>
      <Line term="With">
        {launch.args.length === 0 ? (
          <span className="soft">no arguments</span>
        ) : (
          <ol className="launch-args">
            {launch.args.map((argument, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: arguments are told apart by their place only
              <li key={index}>{argument === '' ? <span className="soft">empty</span> : <EmphasisedText text={argument} />}</li>
            ))}
          </ol>
        )}
      </Line>
      <Line term="In the folder">
        <EmphasisedText text={launch.cwd} />
      </Line>
      <Line term="Environment">
        <Variables variables={launch.env} />
      </Line>
    </dl>
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

/** Names; values only of variables that can load code. */
function Variables({ variables }: { readonly variables: readonly LaunchVariable[] }) {
  if (variables.length === 0) return <span className="soft">none of yours</span>
  return (
    <ul className="launch-args">
      {variables.map((variable) => (
        <li key={variable.name}>
          <VisibleText text={variable.name} />
          {variable.value === undefined ? null : (
            <>
              {' = '}
              <EmphasisedText text={variable.value} />
            </>
          )}
          {variable.secret ? <span className="meta"> (secret)</span> : null}
          {variable.loadsCode ? <span className="launch-grave"> can load other code</span> : null}
        </li>
      ))}
    </ul>
  )
}
