import { type ReactNode, useMemo } from 'react'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { ChevronDownIcon, ChevronRightIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { type CallState, CallStatus } from './CallStatus.tsx'
import { filesDone, lineCountLabel } from './files-done.ts'
import { splitTail, titleArgument } from './title-argument.ts'

interface CallLineProps {
  readonly call: ToolCall
  readonly state: CallState
  /** Its server differs from that of the line before. */
  readonly newServer: boolean
}

/** One line for a call: state, tool, title argument, duration. */
export function CallLine({ call, state, newServer }: CallLineProps) {
  const title = useMemo(() => titleArgument(call.arguments), [call.arguments])
  const lines = useMemo(() => filesDone(call)?.lines, [call])
  const warnings = call.result?.warnings.length ?? 0
  return (
    <>
      <CallStatus state={state} /> <VisibleText as="span" className="call-tool" text={call.tool} />{' '}
      <TitleArgument text={title ?? ''} /> {call.undone ? <span className="meta">Undone</span> : null}{' '}
      {lines ? <span className="call-lines">{lineCountLabel(lines)}</span> : null}{' '}
      {warnings > 0 ? <span className="chip chip-wait">{warnings === 1 ? 'Warning' : `${warnings} warnings`}</span> : null}{' '}
      {newServer && call.serverName !== undefined ? <ServerName name={call.serverName} /> : null} <Duration calls={[call]} />
    </>
  )
}

/** A path too long for the line loses its middle, not its file name. */
function TitleArgument({ text }: { readonly text: string }) {
  const [head, tail] = splitTail(text)
  return (
    <span className="call-argument grow">
      <VisibleText as="span" className="call-argument-head" text={head} />
      {tail ? <VisibleText as="span" className="call-argument-tail" text={tail} /> : null}
    </span>
  )
}

export function ServerName({ name }: { readonly name: string }) {
  return <VisibleText as="span" className="tool-call-server" text={name} />
}

/** The total time of these calls; nothing while one is under way. */
export function Duration({ calls }: { readonly calls: readonly ToolCall[] }): ReactNode {
  let ms = 0
  for (const { startedAt, finishedAt } of calls) {
    if (startedAt === undefined || finishedAt === undefined) return null
    ms += Math.max(0, finishedAt - startedAt)
  }
  return <span className="call-duration">{durationLabel(ms)}</span>
}

/** "< 0.1 s", "0.2 s", "12.4 s", "2 min 5 s". */
function durationLabel(ms: number): string {
  if (ms < 100) return '< 0.1 s'
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
}

/** Shows that a line opens, and whether it is open. */
export function OpenMark({ open }: { readonly open: boolean }) {
  return <span className="call-mark">{open ? <ChevronDownIcon /> : <ChevronRightIcon />}</span>
}
