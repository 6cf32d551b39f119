import { assertNever } from '../../../src-shared/base/json.ts'
import type { ConfigValue, Launch } from '../../../src-shared/contract/servers.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { Fact } from './Fact.tsx'
import { standsInTheClear } from './in-the-clear.ts'

/** Exactly what is started or contacted. */
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
              <ol className="words actions">
                {launch.args.map((word, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
                  <li key={at}>
                    <code>{word === '' ? <span className="soft">empty</span> : <VisibleText text={word} />}</code>
                  </li>
                ))}
              </ol>
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
              <span className="meta"> {standsInTheClear(value) ? 'plain text in mcp.json' : 'in the secret store'}</span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}
