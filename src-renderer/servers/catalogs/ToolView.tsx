import { useState } from 'react'
import type { SentForm, ServerRecord, ToolDetails } from '../../../src-shared/contract/servers.ts'
import { SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { isVerified, KNOWN_LABELS } from '../../content/power-labels.ts'
import { ToolHintsList } from '../../content/ToolHintsList.tsx'
import { CodeBlock } from '../../content/text/CodeBlock.tsx'
import { ServerText } from '../../content/text/ServerText.tsx'
import { ResultFirst } from '../../forms/ResultFirst.tsx'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ToolSheet } from '../../powers/sheet-on-demand.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useRequest } from '../../state/use-request.ts'
import { navigate } from '../../state/view-store.ts'
import { grouped } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { Awaited, ProblemCard } from '../../ui/ProblemCard.tsx'
import { useLostFocus } from '../../ui/ScreenTitle.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextList } from '../../ui/TextList.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { ToolByHand } from './ToolByHand.tsx'

interface ToolViewProps {
  readonly server: ServerRecord
  readonly tool: string
}

/** The page of a tool: its description, permissions and definition, and a form to run it. */
export function ToolView({ server, tool }: ToolViewProps) {
  const { value, problem } = useRequest('catalog.tool', { serverId: server.id, tool }, { refetchOn: [server.catalog.version] })
  return (
    <div className="tab sections column-5">
      <div className="toolbar line">
        <Button
          size="small"
          onClick={() => {
            navigate({ section: 'servers', id: server.id, tab: 'tools' })
            document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
          }}
        >
          All tools
        </Button>
      </div>
      {value ? <Details server={server} details={value} /> : null}
      {value && problem === undefined ? null : <Awaited label="Loading the tool" problem={problem} />}
    </div>
  )
}

function Details({ server, details }: { readonly server: ServerRecord; readonly details: ToolDetails }) {
  const { entry, definition, mirrored, sent = [] } = details
  const [offered, offer] = useSavedChoice(!server.options.hiddenTools.includes(entry.name), (on) =>
    attempt(ask('server.offerTool', { serverId: server.id, tool: entry.name, offered: on })),
  )
  const mayRunAside =
    definition.execution?.taskSupport === 'optional' &&
    server.options.tasks &&
    server.hello?.capabilities.includes('tasks') === true
  const heading = useLostFocus<HTMLHeadingElement>()
  return (
    <>
      <section className="column">
        <h2 ref={heading} tabIndex={-1}>
          <ForeignIcon icons={entry.icons} />
          <VisibleText text={entry.name} />
        </h2>
        {entry.title !== entry.name ? <VisibleText as="p" className="soft" text={entry.title} /> : null}
        {entry.appOnly ? (
          <ProblemCard level="info" problem="Not offered to models: only for the server’s app." />
        ) : entry.unusable === undefined ? (
          <Switch
            label="Enabled"
            hint={`About ${grouped(entry.tokens)} tokens per message.`}
            checked={offered}
            onChange={offer}
          />
        ) : (
          <ProblemCard level="warning" problem={{ what: 'Not offered to models.', said: entry.unusable }} />
        )}
        {mayRunAside ? <InBackground server={server} tool={entry.name} /> : null}
        {entry.unusable === undefined && !entry.appOnly ? <ResultFirst server={server} tool={entry.name} /> : null}
        {entry.description ? <ServerText label="Description" text={entry.description} /> : null}
      </section>
      <Section title="Annotations">
        <ToolHintsList hints={entry.hints} />
      </Section>
      <Section title="Powers">
        <ToolPowers key={server.launchIdentity} server={server} tool={entry.name} />
      </Section>
      {entry.unusable === undefined ? (
        <Section title="Run tool">
          <SentAsHeaders names={mirrored} />
          <ToolByHand key={entry.name} server={server} entry={entry} schema={definition.inputSchema} />
        </Section>
      ) : null}
      {sent.length > 0 ? (
        <Section title="As sent to models">
          {sent.map((form) => (
            <SentToProvider key={form.provider} form={form} />
          ))}
        </Section>
      ) : null}
      <Section title="Definition">
        <Disclosure summary="Input schema">
          <CodeBlock code={JSON.stringify(definition.inputSchema, null, 2)} language="json" />
        </Disclosure>
        {definition.outputSchema ? (
          <Disclosure summary="Output schema">
            <CodeBlock code={JSON.stringify(definition.outputSchema, null, 2)} language="json" />
          </Disclosure>
        ) : null}
      </Section>
    </>
  )
}

/** A tool that need not run as a task does so where the person wants it (TASK-3). */
function InBackground({ server, tool }: ToolViewProps) {
  const [on, turn] = useSavedChoice(server.options.backgroundTools.includes(tool), (wanted) =>
    attempt(ask('server.runToolInBackground', { serverId: server.id, tool, on: wanted })),
  )
  return (
    <Switch label="Run in the background" hint="Without it, only after a call of over 30 seconds." checked={on} onChange={turn} />
  )
}

/** The form in which a provider gets the tool, when its API does not take it unchanged. */
function SentToProvider({ form }: { readonly form: SentForm }) {
  const { provider, name, changes, leftOut } = form
  if (leftOut !== undefined) {
    return <ProblemCard level="warning" problem={`Not sent to ${provider}. ${leftOut}`} />
  }
  return (
    <div>
      <p className="meta">
        Sent to <VisibleText text={provider} /> as <code>{name}</code>
        {changes.length > 0 ? ', with changes:' : '.'}
      </p>
      <TextList texts={changes} />
    </div>
  )
}

/** The powers of a tool, their source, and the way to change them. */
function ToolPowers({ server, tool }: { readonly server: ServerRecord; readonly tool: string }) {
  const { id: serverId, catalog, launchIdentity } = server
  const { value, problem, reload } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version, launchIdentity] })
  const [open, setOpen] = useState(false)
  const judged = value?.tools.find((one) => one.tool === tool)
  if (!value || problem !== undefined) return <Awaited label="Loading the powers" problem={problem} />
  if (!judged) return <p className="soft">The server no longer lists this tool.</p>
  const { known, powers, guess } = judged
  const added = isVerified(known) && powers.length > guess.powers.length
  const close = () => {
    setOpen(false)
    reload()
  }
  return (
    <div className="line">
      <span>
        <PowerBadges powers={powers} known={known} />{' '}
        <span className="meta">
          {KNOWN_LABELS[known]}
          {added ? ' You added to it.' : ''}
        </span>
      </span>
      <Button size="small" onClick={() => setOpen(true)}>
        Say what it does
      </Button>
      {open ? <ToolSheet server={server} only={tool} onClose={close} /> : null}
    </div>
  )
}
