import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { ArgumentsJson } from '../../content/ArgumentsTable.tsx'
import { ToolHintsList } from '../../content/ToolHintsList.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { ResultFirst } from '../../forms/ResultFirst.tsx'
import { useHost } from '../../state/host-store.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import type { CallGroup } from './consent-calls.ts'

/** The servers’ own words about the called tools, folded; of a single call its arguments to the letter, too. */
export function CalledTools({ groups }: { readonly groups: readonly CallGroup[] }) {
  return (
    <Disclosure summary="Details">
      <div className="column-3 small">
        {groups.map(({ key, first, calls }) => (
          <div className="column-1" key={key}>
            {groups.length > 1 ? <VisibleText as="code" className="strong" text={first.tool} /> : null}
            <CalledTool call={first} json={groups.length === 1 && calls.length === 1} />
          </div>
        ))}
      </div>
    </Disclosure>
  )
}

function CalledTool({ call, json }: { readonly call: ConsentCall; readonly json: boolean }) {
  const { title, tool, description, hints, byApp, undoes, skill } = call
  const server = useHost((mirror) => mirror.host.servers[call.serverId])
  return (
    <>
      {title !== tool || description ? (
        <div className="question-quote">
          <p className="meta">Server’s description (not verified)</p>
          {title !== tool ? (
            <p>
              <VisibleText as="strong" text={title} />
            </p>
          ) : null}
          {description ? <LongText content={{ text: description }} /> : null}
        </div>
      ) : null}
      <ToolHintsList hints={hints} />
      {server && !byApp && !undoes && skill === undefined ? <ResultFirst server={server} tool={tool} /> : null}
      {json ? (
        <div>
          <p className="meta">Arguments as JSON</p>
          <ArgumentsJson json={call.arguments} />
        </div>
      ) : null}
    </>
  )
}
