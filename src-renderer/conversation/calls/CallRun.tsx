import { type FocusEvent, Fragment, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { setOpened, useView } from '../../state/view-store.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { Duration, OpenMark, ServerName } from './CallLine.tsx'
import { CallStatus, stateOf } from './CallStatus.tsx'
import { type CallStep, groupLabel, type StepGroup } from './call-groups.ts'
import { FoldedCall, ToolCallCard } from './ToolCallCard.tsx'
import './calls.css'
import { Disclosure } from '../../ui/Disclosure.tsx'

interface CallRunProps {
  readonly conversationId: ConversationId
  /** Calls with no text between them. */
  readonly groups: readonly StepGroup[]
  /** The round of the turn that made a call, from 1. */
  readonly roundOf: (step: CallStep) => number
  readonly questionOpen: boolean
}

/** The calls between two texts: a line for each, or one line for a group. */
export function CallRun({ conversationId, groups, roundOf, questionOpen }: CallRunProps) {
  const opened = useView((view) => view.opened)
  const focus = useKeptFocus()
  let server: string | undefined
  const lines: ReactNode[] = []
  for (const { key, steps } of groups) {
    const grouped = steps.length > 1
    // A call that was opened before it was grouped, or that a link leads to, stays visible.
    const open = opened[groupId(key)] || steps.some(({ call }) => opened[call.id])
    if (grouped) {
      const servers = namesOf(steps)
      lines.push(
        <GroupLine
          key={groupId(key)}
          id={groupId(key)}
          steps={steps}
          open={open}
          servers={servers.length === 1 && servers[0] === server ? [] : servers}
        />,
      )
      if (servers.length === 1) server = servers[0]
    }
    for (const step of steps) {
      const { call, message, thinking } = step
      const newServer = call.serverName !== server
      if (call.serverName !== undefined) server = call.serverName
      const folded = grouped && !open
      lines.push(
        <Fragment key={call.id}>
          {folded
            ? null
            : thinking.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: thinking before a call never moves
                <Thinking key={index} part={part} />
              ))}
          <Boundary what={`The call to ${call.tool}`} text={call.arguments.json}>
            {folded ? (
              <FoldedCall call={call} />
            ) : (
              <ToolCallCard
                conversationId={conversationId}
                call={call}
                questionOpen={questionOpen}
                newServer={newServer}
                inGroup={grouped}
                round={roundOf(step)}
                usage={message.usage}
              />
            )}
          </Boundary>
        </Fragment>,
      )
    }
  }
  return (
    <div className="column-0" {...focus}>
      {lines}
    </div>
  )
}

const groupId = (key: string) => `group-${key}`

const namesOf = (steps: readonly CallStep[]): readonly string[] => [
  ...new Set(steps.flatMap(({ call }) => call.serverName ?? [])),
]

interface GroupLineProps {
  readonly id: string
  readonly steps: readonly CallStep[]
  readonly open: boolean
  readonly servers: readonly string[]
}

/** "6 files read". It opens to its lines, or at once to the details of each. */
function GroupLine({ id, steps, open, servers }: GroupLineProps) {
  const { count, tools } = groupLabel(steps)
  const calls: readonly ToolCall[] = steps.map(({ call }) => call)
  const ids = calls.map((call) => call.id)
  const [first] = calls
  return (
    <div className="call-head row">
      <button
        type="button"
        id={id}
        className="call-line hovers row small grow"
        aria-expanded={open}
        aria-controls={ids.map((call) => `call-${call}`).join(' ')}
        // Closing also closes its calls: an open one would open the group again.
        onClick={() => setOpened(open ? { [id]: false, ...everyCall(ids, false) } : { [id]: true })}
      >
        {first ? <CallStatus state={stateOf(first, false)} /> : null} <span>{count}</span>{' '}
        <VisibleText as="span" className="call-tool" text={tools} /> <span className="call-argument grow" />
        {servers.map((name) => (
          <ServerName key={name} name={name} />
        ))}{' '}
        <Duration calls={calls} />
        <OpenMark open={open} />
      </button>
      <span className="call-more">
        <Button size="small" variant="quiet" onClick={() => setOpened({ [id]: true, ...everyCall(ids, true) })}>
          All details
        </Button>
      </span>
    </div>
  )
}

const everyCall = (ids: readonly string[], open: boolean) => Object.fromEntries(ids.map((id) => [id, open]))

export function Thinking({ part }: { readonly part: { readonly text: string } }) {
  return (
    <Disclosure summary="Thinking" className="soft">
      <LongText content={part} />
    </Disclosure>
  )
}

/** When the focused line is folded into a group, the focus moves to the line of the group. */
function useKeptFocus() {
  const held = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (held.current === undefined || document.activeElement !== document.body) return
    const id = CSS.escape(held.current)
    const line = document.querySelector(`#${id} > .call-head > button, [aria-controls~="${id}"]`)
    if (line instanceof HTMLElement) line.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent) => {
      held.current = target.closest('.call')?.id
    },
    onBlur: ({ target }: FocusEvent) => {
      if (target.isConnected) held.current = undefined
    },
  }
}
