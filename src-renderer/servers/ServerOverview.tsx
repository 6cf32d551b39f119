import type { ReactNode } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { useSettling } from '../forms/use-settling.ts'
import { attempt, liftSecrets, refreshCatalog, setServerOptions, startServer } from '../state/actions.ts'
import { Button } from '../ui/Button.tsx'
import { Switch } from '../ui/fields.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Fact } from './Fact.tsx'
import { ForeignText } from './ForeignText.tsx'
import { LaunchTable } from './LaunchTable.tsx'
import { inTheClear } from './launch-values.ts'
import { problemReport } from './problem-report.ts'
import { QuestionOptions } from './QuestionOptions.tsx'
import { SignInSection } from './SignInSection.tsx'
import { restartServer } from './server-actions.ts'
import { problemOf } from './server-words.ts'
import { withoutColours } from './terminal-text.ts'

/** What the server is, how it is, and what it may do. */
export function ServerOverview({ server }: { readonly server: ServerRecord }) {
  return (
    <div className="sections">
      <Findings server={server} />
      <SignInSection server={server} />
      {server.hello ? <Hello server={server} /> : null}
      <Section title="How it is reached">
        <LaunchTable launch={server.launch} />
      </Section>
      <Section title="What it may do">
        <Options server={server} />
      </Section>
    </div>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Everything that wants the person's eye, worst first. */
function Findings({ server }: { readonly server: ServerRecord }) {
  const problem = problemOf(server)
  const { state } = server
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  const restart = () => void attempt(restartServer(server.id))
  return (
    <>
      {problem ? (
        <ProblemCard
          problem={problem}
          actions={
            <>
              {state.is === 'failed' ? (
                <Button size="small" onClick={() => void attempt(startServer(server.id))}>
                  Try again
                </Button>
              ) : null}
              <CopyButton label="Copy report" text={() => problemReport(server)} />
              {state.is === 'failed' ? (
                <span className="meta">
                  Failed <RelativeTime at={state.at} />
                </span>
              ) : null}
            </>
          }
        />
      ) : null}
      {stderr.length > 0 ? (
        <div>
          <div className="meta">The last lines it wrote</div>
          <ForeignText label="The last lines it wrote" text={withoutColours(stderr.join('\n'))} />
        </div>
      ) : null}
      {server.changePending ? (
        <ProblemCard
          level="warning"
          problem={{
            code: 'change-pending',
            what: 'Its entry in mcp.json changed. The running server is still the one from before.',
          }}
          actions={
            <Button size="small" onClick={restart}>
              Restart with the change
            </Button>
          }
        />
      ) : null}
      {inTheClear(server.launch).length > 0 ? (
        <ProblemCard
          level="warning"
          problem={{
            code: 'secret-in-the-clear',
            what: `${inTheClear(server.launch).join(', ')} stands in the clear in mcp.json.`,
            todo: 'Move it to the secret store, which is readable only by you.',
          }}
          actions={
            <Button size="small" onClick={() => void attempt(liftSecrets(server.id))}>
              Move to the secret store
            </Button>
          }
        />
      ) : null}
      {server.catalog.problems.length > 0 ? (
        <ProblemCard
          level="warning"
          problem={{ code: 'catalog', what: 'Not everything it offers could be read.', said: server.catalog.problems.join('\n') }}
          actions={
            <Button size="small" onClick={() => void attempt(refreshCatalog(server.id))}>
              Read its lists again
            </Button>
          }
        />
      ) : null}
    </>
  )
}

/** The server's account of itself, beside the name that the person gave it. */
function Hello({ server }: { readonly server: ServerRecord }) {
  const hello = server.hello
  if (!hello) return null
  const { serverInfo, instructions } = hello
  return (
    <Section title="What it says of itself">
      <p className="meta">These are the server’s own words. Nobody checked them.</p>
      <dl className="facts">
        <Fact name="Name">
          <VisibleText text={serverInfo.title ?? serverInfo.name} />
          {serverInfo.title === undefined ? null : (
            <span className="meta">
              {' '}
              <VisibleText text={serverInfo.name} />
            </span>
          )}
        </Fact>
        <Fact name="Version">
          <VisibleText text={serverInfo.version} />
        </Fact>
        {serverInfo.description ? (
          <Fact name="Description">
            <VisibleText text={serverInfo.description} />
          </Fact>
        ) : null}
        {serverInfo.websiteUrl ? (
          <Fact name="Website">
            <code>
              <VisibleText text={serverInfo.websiteUrl} />
            </code>
          </Fact>
        ) : null}
        <Fact name="Protocol revision">{hello.revision}</Fact>
        <Fact name="Capabilities">
          {hello.capabilities.length === 0 ? 'none' : null}
          <span className="chips">
            {hello.capabilities.map((capability) => (
              <span className="chip" key={capability}>
                <VisibleText text={capability} />
              </span>
            ))}
          </span>
        </Fact>
      </dl>
      {instructions ? (
        <div>
          <h3 className="meta">Instructions for the model</h3>
          <ForeignText label="Instructions for the model" text={instructions} />
        </div>
      ) : null}
    </Section>
  )
}

function Options({ server }: { readonly server: ServerRecord }) {
  const { id, options } = server
  const [enabled, setEnabled] = useSettling(options.enabled, (on) => attempt(setServerOptions(id, { enabled: on })))
  return (
    <div className="options">
      <Switch
        label="Start with Parley"
        hint="Off keeps it in the list without ever starting it by itself."
        checked={enabled}
        onChange={setEnabled}
      />
      <QuestionOptions server={server} />
    </div>
  )
}
