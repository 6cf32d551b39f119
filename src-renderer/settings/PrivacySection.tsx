import { hostOf } from '../../src-shared/base/hosts.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { ProviderRecord } from '../../src-shared/contract/settings.ts'
import { useHost } from '../state/host-store.ts'
import { sortedServers } from '../state/selectors.ts'
import { VisibleText } from '../ui/VisibleText.tsx'

interface Transfer {
  readonly to: string
  /** The names that the person gave the recipient. */
  readonly names: readonly string[]
  readonly what: string
}

const ADDRESSES: Partial<Record<ProviderRecord['kind'], string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
}

/** Everything that leaves this computer in the present setup, and its recipients. */
export function PrivacySection() {
  const host = useHost((mirror) => mirror.host)
  const { spellCheck, checkUpdates } = host.settings
  const transfers: Transfer[] = [
    ...Object.values(host.providers).flatMap(ofProvider),
    ...sortedServers(host.servers).flatMap(ofRemote),
    ...ofPrograms(sortedServers(host.servers)),
    ...(spellCheck && host.platform !== 'darwin'
      ? [
          {
            to: 'The browser engine’s servers',
            names: [],
            what: 'The languages that you write in, to download their dictionaries.',
          },
        ]
      : []),
    ...(checkUpdates && host.desktop?.powers.includes('updates')
      ? [{ to: 'The update feed', names: [], what: 'That Parley checks for a newer version.' }]
      : []),
  ]
  return (
    <div className="settings-fields column-3">
      <p>
        No telemetry, no account, no crash reports. What you write and what servers send stays in the data folder, except for
        this:
      </p>
      {transfers.length > 0 ? (
        <ul className="bullets column">
          {transfers.map(({ to, names, what }) => (
            <li key={`${to} ${names.join(' ')}`}>
              <VisibleText as="strong" text={to} />
              {names.length > 0 ? (
                <span className="meta">
                  {' '}
                  <VisibleText text={names.join(', ')} />
                </span>
              ) : null}
              <div className="soft">{what}</div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">Nothing yet. Providers and servers you add appear here.</p>
      )}
      <p className="soft">Links open in your browser, after a question. A web page that you attach is fetched once.</p>
    </div>
  )
}

function ofProvider({ kind, name, baseUrl }: ProviderRecord): Transfer[] {
  const address = baseUrl ?? ADDRESSES[kind]
  if (address === undefined) return []
  const what = 'Conversations with its models: messages, files, the tools offered and their results.'
  return [{ to: hostOf(address), names: [name], what }]
}

function ofRemote({ name, launch }: ServerRecord): Transfer[] {
  if (launch.type !== 'remote') return []
  const what = 'Calls that you or your rules allow, your answers to its questions, and that Parley connects.'
  return [{ to: hostOf(launch.url), names: [name], what }]
}

function ofPrograms(servers: readonly ServerRecord[]): Transfer[] {
  const names = servers.filter(({ launch }) => launch.type === 'local').map(({ name }) => name)
  const what =
    'Unless you fenced them, they may connect anywhere, and Parley cannot see it. Parley still downloads fenced npx and uvx packages before they start.'
  return names.length > 0 ? [{ to: 'Programs you added as servers', names, what }] : []
}
