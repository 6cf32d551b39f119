import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord, ServerUsage } from '../../../src-shared/contract/servers.ts'
import { ToolSheet } from '../../powers/sheet-on-demand.ts'
import { ToolsUnmet } from '../../powers/ToolsUnmet.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useRequest } from '../../state/use-request.ts'
import { navigate } from '../../state/view-store.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { GrantTicks } from '../../ui/GrantTicks.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { Section } from '../../ui/Section.tsx'
import { DiagnosisSection } from '../doctor/DiagnosisSection.tsx'
import { deprecatedInUse, ERAS } from '../labels/era-labels.ts'
import { problemOf } from '../labels/server-labels.ts'
import { FenceSection } from './FenceSection.tsx'
import { LaunchTable } from './LaunchTable.tsx'
import { OnSwitch } from './OnSwitch.tsx'
import { OptionSwitch } from './OptionSwitch.tsx'
import { OriginSection } from './OriginSection.tsx'
import { PausedRulesSection } from './PausedRulesSection.tsx'
import { plainSecretNames } from './plain-secrets.ts'
import { QuestionOptions } from './QuestionOptions.tsx'
import { ServerClaims } from './ServerClaims.tsx'
import { SignInSection } from './SignInSection.tsx'

interface ServerOverviewProps {
  readonly server: ServerRecord
  /** The part that the address opens: a check of the connection, what its tools do, or what its fence kept from it. */
  readonly opened: 'check' | 'powers' | 'fence' | undefined
}

/** Problems, sign-in, identity, connection and permissions of a server. */
export function ServerOverview({ server, opened }: ServerOverviewProps) {
  const checking = opened === 'check'
  const { id } = server
  return (
    <div className="sections column-5">
      <DiagnosisSection server={server} asked={checking} />
      <Warnings server={server} checking={checking} />
      <SignInSection server={server} />
      <PausedRulesSection server={server} />
      {server.hello ? <ServerClaims server={server} hello={server.hello} /> : null}
      <Section title="Connection">
        <OnSwitch server={server} />
        {server.builtIn ? null : (
          <OptionSwitch
            server={server}
            option="keepRunning"
            label="Keep running"
            hint="Starts with Parley. Otherwise it starts when needed and stops after 10 minutes without use."
          />
        )}
        {server.codePath === undefined ? null : (
          <OptionSwitch
            server={server}
            option="restartOnChange"
            label="Restart when its files change"
            hint={`Watches the code in ${server.codePath}. A change during a tool call waits for you.`}
          />
        )}
        <LaunchTable launch={server.launch} />
        <Protocol server={server} />
        {server.launch.type === 'local' && server.state.is === 'ready' ? (
          <UsageLine key={server.state.since} serverId={id} />
        ) : null}
        {checking || problemOf(server) ? null : (
          <div>
            <Button size="small" onClick={() => navigate({ section: 'servers', id: server.id, tab: 'check' })}>
              Check connection
            </Button>
          </div>
        )}
      </Section>
      {server.launch.type === 'local' ? <FenceSection server={server} opened={opened === 'fence'} /> : null}
      {server.builtIn ? null : <OriginSection server={server} />}
      <Section title="Permissions">
        <div className="options column-3">
          <QuestionOptions server={server} />
          <OptionSwitch
            server={server}
            option="reviewResults"
            label="Show me the results first"
            hint="You see each result before the model, and can cut or withhold it."
          />
          <OptionSwitch
            server={server}
            option="hintsAtCost"
            label="Hint when its tools are not used"
            hint="A conversation says so after 20 turns, if they take more than 2,000 tokens a round."
          />
          <ExtensionOptions server={server} />
          <TrustHints key={server.launchIdentity} server={server} />
          {server.catalog.tools === 0 ? null : (
            <div>
              <Button size="small" onClick={() => navigate({ section: 'servers', id, tab: 'powers' })}>
                Review what its tools do
              </Button>
            </div>
          )}
          <ToolsUnmet serverId={id} />
          {opened === 'powers' ? (
            <ToolSheet server={server} onClose={() => navigate({ section: 'servers', id, tab: 'overview' })} />
          ) : null}
        </div>
      </Section>
    </div>
  )
}

/** The chosen protocol version, and the deprecated features in use. */
function Protocol({ server }: { readonly server: ServerRecord }) {
  const { era } = server.options
  const deprecated = deprecatedInUse(server)
  return (
    <>
      {era === 'auto' ? null : <p className="meta">Protocol version: {ERAS.find(({ value }) => value === era)?.label}</p>}
      {deprecated.length > 0 ? <p className="meta">Uses deprecated features: {deprecated.join(', ')}</p> : null}
    </>
  )
}

function Warnings({ server, checking }: { readonly server: ServerRecord; readonly checking: boolean }) {
  const { id: serverId } = server
  const exposed = plainSecretNames(server.launch)
  const restart = () => void attempt(ask('server.restart', { serverId }))
  return (
    <>
      {server.changePending ? (
        <ProblemCard
          level="warning"
          problem="Its entry in mcp.json changed. Restart to apply it."
          actions={
            <Button size="small" onClick={restart}>
              Restart
            </Button>
          }
        />
      ) : null}
      {server.codeProblem ? (
        <ProblemCard
          level="warning"
          problem={server.codeProblem}
          actions={
            server.codeProblem.code === 'code-changed' ? (
              <Button size="small" onClick={restart}>
                Restart
              </Button>
            ) : null
          }
        />
      ) : null}
      {exposed.length > 0 ? (
        <ProblemCard
          level="warning"
          problem={{
            what: `${exposed.join(', ')} is stored in plain text in mcp.json.`,
            todo: 'Move it to the secret store.',
          }}
          actions={
            <Button size="small" onClick={() => void attempt(ask('server.liftSecrets', { serverId }))}>
              Move to the secret store
            </Button>
          }
        />
      ) : null}
      {server.catalog.problems.length > 0 && !checking ? (
        <ProblemCard
          level="warning"
          problem={{ what: 'Some of its lists are incomplete.', said: server.catalog.problems.join('\n') }}
          actions={
            <Button size="small" onClick={() => void attempt(ask('catalog.refresh', { serverId }))}>
              Refresh
            </Button>
          }
        />
      ) : null}
    </>
  )
}

/** Extensions that a person can do without, each for one server (EXT-5). */
function ExtensionOptions({ server }: { readonly server: ServerRecord }) {
  return (
    <>
      <OptionSwitch
        server={server}
        option="apps"
        label="Apps"
        hint="Shows its tools’ results in views of its own. A change reconnects the server."
      />
      <OptionSwitch
        server={server}
        option="tasks"
        label="Tasks"
        hint="Runs its long calls in the background. A change reconnects the server."
      />
    </>
  )
}

/** The choice to trust the server's hints about its tools, bound to its present launch. */
function TrustHints({ server: { id: serverId, catalog } }: { readonly server: ServerRecord }) {
  const { value } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version] })
  const [chosen, setChosen] = useState<boolean>()
  const choose = async (trust: boolean) => {
    setChosen(trust)
    if (!(await attempt(ask('consent.trustHints', { serverId, trust })))) setChosen(!trust)
  }
  return (
    <GrantTicks>
      <Switch
        label="Trust this server’s hints"
        hint="Its read-only tools may read in your named folders without asking. You are still asked about anything else. Ends when the server changes."
        checked={chosen ?? value?.hintsTrusted ?? false}
        disabled={value === undefined}
        onChange={(trust) => void choose(trust)}
      />
    </GrantTicks>
  )
}

/** Milliseconds between two looks. */
const EVERY = 2000

/** The memory, processors and processes that a local server uses now. Nothing where the system does not tell. */
function UsageLine({ serverId }: { readonly serverId: ServerId }) {
  const { value, reload } = useRequest('server.usage', { serverId })
  const [samples, setSamples] = useState<readonly ServerUsage[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is one sample
  useEffect(() => {
    const usage = value?.usage
    if (!usage) return
    setSamples((before) => [...before.slice(-1), usage])
    return systemClock.after(EVERY, reload)
  }, [value])
  const now = value?.usage
  if (!now) return null
  const [before] = samples
  return (
    <p className="meta">
      Uses {bytes(now.memory)} of memory{before && before.at < now.at ? `, ${cpu(before, now)} % of a processor` : ''}, in{' '}
      {counted(now.processes, 'process', 'processes')}.
    </p>
  )
}

/** Processes that ended take their time with them. */
const cpu = (before: ServerUsage, now: ServerUsage): number =>
  Math.max(0, Math.round(((now.cpuMs - before.cpuMs) / (now.at - before.at)) * 100))
