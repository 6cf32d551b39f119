import type { ContextReport, ServerCost } from '../../src-shared/contract/context.ts'
import type { Message } from '../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { NO_SWITCHES, type ToolSwitches } from '../../src-shared/contract/settings.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { seek } from '../state/view-store.ts'
import { aboutDollars, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ContextWindow } from './ContextWindow.tsx'
import { withAll, withServer, withTool } from './composer/switches.ts'

const MAX_MESSAGES = 12
const MAX_TOOLS = 20
const EXCERPT = 60
const NOT_OFFERED = {
  'off-here': 'not offered',
  'off-everywhere': 'not offered',
  'server-off-here': 'not offered',
  'off-in-project': 'turned off in the project',
} as const

export interface ContextBreakdownProps {
  readonly id: ConversationId
  readonly report: ContextReport
  readonly topic: ConversationTopic
  readonly onSetWindow: () => void
  readonly words: string
  /** Called before a message is scrolled to. */
  readonly onLeave: () => void
}

/** Tokens by part: instructions, messages, attachments, and the tools of each server with their switches. */
export function ContextBreakdown({ id, report, words, topic, onLeave, onSetWindow }: ContextBreakdownProps) {
  const { attachments = [], messages } = topic
  const [switches, change] = useSavedChoice(topic.switches ?? NO_SWITCHES, (wanted: ToolSwitches) =>
    attempt(ask('conversation.setSwitches', { id, switches: wanted })),
  )
  const said = report.messages.reduce((sum, message) => sum + message.tokens, report.earlier)
  const titleOf = (attachment: string) => attachments.find((one) => one.id === attachment)?.title ?? 'Attachment'
  return (
    <>
      <h2>{words}</h2>
      <ContextWindow report={report} onSet={onSetWindow} />
      <p className="meta">Estimates. Tools turned off here are not offered in this conversation.</p>
      {report.spent === undefined ? null : <p>This conversation so far: {aboutDollars(report.spent)}, by list prices.</p>}
      <dl className="context-parts">
        <Part name="Instructions" tokens={report.system} />
        {report.files > 0 ? <Part name="Files of the project" tokens={report.files} /> : null}
        <Part name={`Messages (${report.messages.length}${report.earlier > 0 ? ' and earlier' : ''})`} tokens={said} />
        {report.attachments.map((attachment) => (
          <Part key={attachment.id} name={titleOf(attachment.id)} tokens={attachment.tokens} inset />
        ))}
        <Part name={report.discovery ? 'Tools found by search' : 'Tool definitions'} tokens={report.tools} />
        {report.skills > 0 ? <Part name="Skills" tokens={report.skills} /> : null}
      </dl>
      {report.discovery ? (
        <p className="meta">All definitions take {grouped(report.allTools)} tokens, so the model searches for tools instead.</p>
      ) : null}
      <LongestMessages conversationId={id} report={report} messages={messages} onLeave={onLeave} />
      {report.servers.length > 1 ? <AllTools servers={report.servers} switches={switches} onChange={change} /> : null}
      {report.servers.map((server) => (
        <ServerTools key={server.serverId} server={server} switches={switches} onChange={change} />
      ))}
    </>
  )
}

function Part({ name, tokens, inset = false }: { readonly name: string; readonly tokens: number; readonly inset?: boolean }) {
  return (
    <div className={inset ? 'context-part context-part-inset' : 'context-part'}>
      <VisibleText as="dt" text={name} />
      <dd>{grouped(tokens)}</dd>
    </div>
  )
}

interface LongestMessagesProps extends Pick<ContextBreakdownProps, 'report' | 'onLeave'> {
  readonly conversationId: ConversationId
  readonly messages: readonly Message[]
}

function LongestMessages({ conversationId, report, messages, onLeave }: LongestMessagesProps) {
  const longest = [...report.messages].sort((a, b) => b.tokens - a.tokens).slice(0, MAX_MESSAGES)
  if (longest.length === 0) return null
  const shown = new Map(messages.map((message) => [message.id, message]))
  return (
    <Disclosure summary="Longest messages">
      <ul className="context-list">
        {longest.map(({ id, tokens }) => {
          const message = shown.get(id)
          return (
            <li key={id}>
              <span className="context-said column-0 grow">
                <VisibleText text={message ? excerptOf(message) : 'An earlier message'} />
                {message?.parts.map((part) =>
                  part.type === 'resource' ? (
                    <span key={part.id} className="meta">
                      with <VisibleText text={part.title.slice(0, EXCERPT)} />, {grouped(part.tokens)} tokens
                    </span>
                  ) : null,
                )}
              </span>
              <span className="meta">{grouped(tokens)} tokens</span>
              <Button
                size="small"
                variant="quiet"
                aria-description={message && excerptOf(message)}
                onClick={() => {
                  onLeave()
                  seek({ conversation: conversationId, message: id })
                }}
              >
                Show
              </Button>
            </li>
          )
        })}
      </ul>
    </Disclosure>
  )
}

/** The author of a message and its first words. */
function excerptOf({ role, parts }: Message): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  const calls = parts.filter((part) => part.type === 'tool-call').length
  const begins = text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT)
  const called = calls > 0 ? ` (${calls} tool calls and their results)` : ''
  return `${role === 'user' ? 'You' : 'Model'}${begins ? `: ${begins}` : ''}${called}`
}

interface SwitchesProps {
  readonly switches: ToolSwitches
  readonly onChange: (switches: ToolSwitches) => void
}

function AllTools({ servers, switches, onChange }: SwitchesProps & { readonly servers: readonly ServerCost[] }) {
  const all = servers.map(({ serverId }) => serverId)
  const off = all.every((serverId) => switches.servers.includes(serverId))
  return (
    <Button size="small" aria-pressed={off} onClick={() => onChange(withAll(switches, all))}>
      {off ? 'Turn all on here' : 'Turn all off here'}
    </Button>
  )
}

function ServerTools({ server, switches, onChange }: SwitchesProps & { readonly server: ServerCost }) {
  const { serverId } = server
  const off = switches.servers.includes(serverId)
  return (
    <Disclosure
      summary={
        <>
          <VisibleText text={server.serverName} /> <span className="meta">{grouped(server.tokens)} tokens</span>
        </>
      }
      row
    >
      <Button size="small" aria-pressed={off} onClick={() => onChange(withServer(switches, serverId))}>
        {off ? 'Turn on here' : 'Turn off here'}
      </Button>
      <ul className="context-list">
        {server.tools.slice(0, MAX_TOOLS).map((tool) => (
          <li key={tool.tool}>
            <VisibleText text={tool.tool} />
            <span className="meta">{tool.state === 'offered' ? `${grouped(tool.tokens)} tokens` : NOT_OFFERED[tool.state]}</span>
            {tool.state === 'offered' || tool.state === 'off-here' ? (
              <Button
                size="small"
                variant="quiet"
                aria-label={`${tool.state === 'off-here' ? 'Turn on' : 'Turn off'} ${tool.tool}`}
                onClick={() => onChange(withTool(switches, serverId, tool.tool))}
              >
                {tool.state === 'off-here' ? 'Turn on' : 'Turn off'}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {server.toolCount > MAX_TOOLS ? (
        <p className="meta">
          The {MAX_TOOLS} largest of {grouped(server.toolCount)}.
        </p>
      ) : null}
    </Disclosure>
  )
}
