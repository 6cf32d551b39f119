import { useId, useRef, useState } from 'react'
import type { Attachment } from '../../src-shared/contract/attachments.ts'
import { type ContextReport, NO_SWITCHES, type Remedy, type ToolSwitches } from '../../src-shared/contract/context.ts'
import type { ConversationId } from '../../src-shared/contract/conversations.ts'
import { attempt } from '../state/actions.ts'
import { setSwitches } from '../state/context-actions.ts'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { grouped } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { useContextReport } from './use-context-report.ts'

export interface ContextMeterProps {
  readonly id: ConversationId
  readonly attachments: readonly Attachment[]
  readonly switches: ToolSwitches | undefined
}

/** How full the model's window is, and of what. */
export function ContextMeter({ id, attachments, switches = NO_SWITCHES }: ContextMeterProps) {
  const report = useContextReport(id)
  const popover = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [place, setPlace] = useState({ left: 0, bottom: 0 })
  const panel = useId()
  if (!report) return null
  const words =
    report.window === undefined
      ? `about ${grouped(report.total)} tokens`
      : `${grouped(report.total)} of ${grouped(report.window)} tokens`
  const show = () => {
    const from = button.current?.getBoundingClientRect()
    if (from) setPlace({ left: Math.max(8, Math.min(from.left, innerWidth - 376)), bottom: innerHeight - from.top + 4 })
    popover.current?.togglePopover()
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        className={`context-meter context-meter-${report.state}`}
        aria-description={words}
        aria-expanded={open}
        aria-controls={panel}
        title={words}
        onClick={show}
      >
        <span className="unseen">Context</span>
        {report.window === undefined ? null : (
          <meter min={0} max={report.window} value={Math.min(report.total, report.window)} aria-hidden="true" />
        )}
        <span aria-hidden="true">{share(report)}</span>
      </button>
      <section
        ref={popover}
        id={panel}
        popover="auto"
        className="context-panel"
        style={place}
        aria-label="What the model is given"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open ? <Breakdown report={report} words={words} attachments={attachments} id={id} switches={switches} /> : null}
      </section>
      {report.state === 'fine' ? null : (
        <div className={`context-warning context-warning-${report.state}`} role="status">
          <WarningIcon />
          <span>
            {report.state === 'over' ? 'This is more than the model can take in.' : 'The model’s window is nearly full.'}
          </span>
          {report.remedies.map((remedy) => (
            <RemedyButton key={remedy.label} id={id} remedy={remedy} switches={switches} />
          ))}
        </div>
      )}
    </>
  )
}

function share({ total, window }: ContextReport): string {
  return window === undefined ? `${grouped(total)} tokens` : `${Math.round((total / window) * 100)} %`
}

interface BreakdownProps {
  readonly id: ConversationId
  readonly report: ContextReport
  readonly words: string
  readonly attachments: readonly Attachment[]
  readonly switches: ToolSwitches
}

function Breakdown({ id, report, words, attachments, switches }: BreakdownProps) {
  const said = report.messages.reduce((sum, message) => sum + message.tokens, report.earlier)
  const dearest = [...report.messages].sort((a, b) => b.tokens - a.tokens).slice(0, 5)
  const titleOf = (attachment: string) => attachments.find((one) => one.id === attachment)?.title ?? 'Attachment'
  return (
    <>
      <h2>{words}</h2>
      <p className="meta">Estimates. What is turned off here is not offered to the model in this conversation.</p>
      <dl className="context-parts">
        <Part name="Instructions" tokens={report.system} />
        <Part name={`Messages (${report.messages.length}${report.earlier > 0 ? ' and earlier' : ''})`} tokens={said} />
        {report.attachments.map((attachment) => (
          <Part key={attachment.id} name={titleOf(attachment.id)} tokens={attachment.tokens} inset />
        ))}
        <Part name={report.discovery ? 'Tools, searched for by the model' : 'Tool definitions'} tokens={report.tools} />
      </dl>
      {report.discovery ? (
        <p className="meta">
          All definitions would take {grouped(report.allTools)} tokens, so the model gets a search for tools instead.
        </p>
      ) : null}
      {dearest.length > 0 ? (
        <details>
          <summary>Longest messages</summary>
          <ul className="context-list">
            {dearest.map((message) => (
              <li key={message.id}>
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => document.getElementById(`message-${message.id}`)?.scrollIntoView()}
                >
                  {grouped(message.tokens)} tokens
                </Button>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {report.servers.map((server) => {
        const off = switches.servers.includes(server.serverId)
        return (
          <details key={server.serverId}>
            <summary>
              <VisibleText text={server.serverName} /> <span className="meta">{grouped(server.tokens)} tokens</span>
            </summary>
            <Button
              size="small"
              aria-pressed={off}
              onClick={() =>
                void attempt(
                  setSwitches(id, {
                    ...switches,
                    servers: off
                      ? switches.servers.filter((one) => one !== server.serverId)
                      : [...switches.servers, server.serverId],
                  }),
                )
              }
            >
              {off ? 'Offer its tools here again' : 'Turn off here'}
            </Button>
            <ul className="context-list">
              {server.tools.slice(0, 20).map((tool) => (
                <li key={tool.tool}>
                  <VisibleText text={tool.tool} />
                  <span className="meta">{tool.state === 'offered' ? `${grouped(tool.tokens)} tokens` : 'not offered'}</span>
                  {tool.state === 'offered' || tool.state === 'off-here' ? (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={`${tool.state === 'off-here' ? 'Turn on' : 'Turn off'} ${tool.tool}`}
                      onClick={() => void attempt(setSwitches(id, withTool(switches, server.serverId, tool.tool)))}
                    >
                      {tool.state === 'off-here' ? 'Turn on' : 'Turn off'}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
            {server.toolCount > 20 ? <p className="meta">The 20 dearest of {grouped(server.toolCount)}.</p> : null}
          </details>
        )
      })}
    </>
  )
}

function Part({ name, tokens, inset = false }: { readonly name: string; readonly tokens: number; readonly inset?: boolean }) {
  return (
    <div className={inset ? 'context-part context-part-inset' : 'context-part'}>
      <dt>
        <VisibleText text={name} />
      </dt>
      <dd>{grouped(tokens)}</dd>
    </div>
  )
}

interface RemedyButtonProps {
  readonly id: ConversationId
  readonly remedy: Remedy
  readonly switches: ToolSwitches
}

function RemedyButton({ id, remedy, switches }: RemedyButtonProps) {
  const { serverId, tool } = remedy.turnOff
  const wanted =
    tool === undefined ? { ...switches, servers: [...switches.servers, serverId] } : withTool(switches, serverId, tool)
  return (
    <Button size="small" onClick={() => void attempt(setSwitches(id, wanted))}>
      <VisibleText text={remedy.label} /> <span className="meta">frees {grouped(remedy.frees)}</span>
    </Button>
  )
}

/** Turns one tool off, or on again. */
function withTool(switches: ToolSwitches, serverId: Remedy['turnOff']['serverId'], tool: string): ToolSwitches {
  const others = switches.tools.filter((one) => one.serverId !== serverId || one.tool !== tool)
  return { ...switches, tools: others.length < switches.tools.length ? others : [...others, { serverId, tool }] }
}
