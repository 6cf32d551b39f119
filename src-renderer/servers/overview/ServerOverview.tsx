import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { ServerWords } from '../../content/text/ServerWords.tsx'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { restartServer } from '../../state/server-actions.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Section } from '../../ui/Section.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ServerEditor } from '../editor/ServerEditor.tsx'
import { deprecatedInUse, ERAS } from '../words/era-words.ts'
import { problemOf, wantedVariable } from '../words/server-words.ts'
import { withoutColours } from '../words/terminal-text.ts'
import { namesInTheClear } from './in-the-clear.ts'
import { LaunchTable } from './LaunchTable.tsx'
import { QuestionOptions } from './QuestionOptions.tsx'
import { ServerClaims } from './ServerClaims.tsx'
import { SignInSection } from './SignInSection.tsx'
import { TrustHints } from './TrustHints.tsx'

/** What the server is, how it is, and what it may do. */
export function ServerOverview({ server }: { readonly server: ServerRecord }) {
  return (
    <div className="sections">
      <Findings server={server} />
      <SignInSection server={server} />
      {server.hello ? <ServerClaims server={server} hello={server.hello} /> : null}
      <Section title="Connection">
        <LaunchTable launch={server.launch} />
        <SpokenWith server={server} />
      </Section>
      <Section title="Permissions">
        <Options server={server} />
      </Section>
    </div>
  )
}

/** What was chosen that is spoken with it, and what works only until a later revision: quiet lines. */
function SpokenWith({ server }: { readonly server: ServerRecord }) {
  const { era } = server.options
  const deprecated = deprecatedInUse(server)
  return (
    <>
      {era === 'auto' ? null : <p className="meta">Protocol version: {ERAS.find(({ value }) => value === era)?.label}</p>}
      {deprecated.length > 0 ? <p className="meta">Uses deprecated features: {deprecated.join(', ')}</p> : null}
    </>
  )
}

/** Everything that wants the person's eye, worst first. */
function Findings({ server }: { readonly server: ServerRecord }) {
  const problem = problemOf(server)
  const { id: serverId, state } = server
  const exposed = namesInTheClear(server.launch)
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  const [setting, setSetting] = useState<string>()
  const variable = problem && wantedVariable(problem)
  const restart = () => void attempt(restartServer(serverId))
  return (
    <>
      {problem ? (
        <ProblemCard
          problem={problem}
          actions={
            <>
              {state.is === 'failed' ? (
                <Button size="small" onClick={() => void attempt(ask('server.start', { serverId }))}>
                  Try again
                </Button>
              ) : null}
              {variable !== undefined && server.launch.type === 'local' ? (
                <Button size="small" onClick={() => setSetting(variable)}>
                  Set {visibleText(variable)}
                </Button>
              ) : null}
              <CopyButton label="Copy report" text={async () => (await ask('server.diagnose', { serverId })).report} />
              {state.is === 'failed' ? (
                <span className="meta">
                  Failed <RelativeTime at={state.at} />
                </span>
              ) : null}
            </>
          }
        />
      ) : null}
      {setting === undefined ? null : <ServerEditor server={server} variable={setting} onClose={() => setSetting(undefined)} />}
      {stderr.length > 0 ? (
        <div>
          <div className="meta">Last output</div>
          <ServerWords label="Last output" text={withoutColours(stderr.join('\n'))} />
        </div>
      ) : null}
      {server.changePending ? (
        <ProblemCard
          level="warning"
          problem={{
            code: 'change-pending',
            what: 'Its entry in mcp.json changed. Restart to apply it.',
          }}
          actions={
            <Button size="small" onClick={restart}>
              Restart
            </Button>
          }
        />
      ) : null}
      {exposed.length > 0 ? (
        <ProblemCard
          level="warning"
          problem={{
            code: 'secret-in-the-clear',
            what: `${exposed.join(', ')} is in plain text in mcp.json.`,
            todo: 'Move it to the secret store.',
          }}
          actions={
            <Button size="small" onClick={() => void attempt(ask('server.liftSecrets', { serverId }))}>
              Move to the secret store
            </Button>
          }
        />
      ) : null}
      {server.catalog.problems.length > 0 ? (
        <ProblemCard
          level="warning"
          problem={{ code: 'catalog', what: 'Some of its lists could not be read.', said: server.catalog.problems.join('\n') }}
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

function Options({ server }: { readonly server: ServerRecord }) {
  const [enabled, setEnabled] = useSavedChoice(server.options.enabled, (on) =>
    attempt(ask('server.setOptions', { serverId: server.id, options: { enabled: on } })),
  )
  return (
    <div className="options">
      <Switch label="Start with Parley" hint="When off, only you start it." checked={enabled} onChange={setEnabled} />
      <QuestionOptions server={server} />
      <TrustHints key={server.launchIdentity} server={server} />
    </div>
  )
}
