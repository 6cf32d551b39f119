import { assertNever } from '../../../src-shared/base/json.ts'
import type { ConfigValue, Launch } from '../../../src-shared/contract/servers.ts'
import { Fact } from '../../ui/Fact.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { ArgumentList } from '../labels/ArgumentList.tsx'
import { isPlainSecret } from './plain-secrets.ts'

/** Everything that is started or contacted. */
export function LaunchTable({ launch }: { readonly launch: Launch }) {
  switch (launch.type) {
    case 'local':
      return (
        <dl className="column-1">
          <Fact name="Program">
            <VisibleText as="code" text={launch.command} />
          </Fact>
          {launch.args.length > 0 ? (
            <Fact name="Arguments">
              <ArgumentList args={launch.args} />
            </Fact>
          ) : null}
          <Fact name="Working folder">{launch.cwd ? <code>{<VisibleText text={launch.cwd} />}</code> : 'Your home folder'}</Fact>
          <Values name="Variables" values={launch.env} />
        </dl>
      )
    case 'remote':
      return (
        <dl className="column-1">
          <Fact name="Address">
            <VisibleText as="code" text={launch.url} />
          </Fact>
          <Values name="Headers" values={launch.headers} />
        </dl>
      )
    case 'built-in':
      return <p className="soft">Built in. Nothing leaves this computer.</p>
    default:
      return assertNever(launch)
  }
}

function Values({ name, values }: { readonly name: string; readonly values: Readonly<Record<string, ConfigValue>> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <Fact name={name}>
      <ul>
        {entries.map(([key, value]) => (
          <li key={key}>
            <VisibleText as="code" text={key} />
            {'text' in value ? (
              <>
                {' '}
                <VisibleText as="code" className="soft" text={value.text} />
              </>
            ) : (
              <span className="meta"> {isPlainSecret(value) ? 'plain text in mcp.json' : 'in the secret store'}</span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}
