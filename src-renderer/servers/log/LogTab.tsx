import { useEffect, useMemo, useRef, useState } from 'react'
import type { ServerLogLine, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { LOG_LEVELS, type LogLevel } from '../../../src-shared/mcp/primitives.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { draftFields } from '../../forms/draft-fields.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useServer } from '../../state/use-topic.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { type Option, Select } from '../../ui/fields/Select.tsx'
import { PauseIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { withoutColours } from '../labels/terminal-text.ts'
import { clockTime, type LogFilter, lineText, passesLogFilter, SHOW_ALL, SOURCE_LABELS } from './log-filter.ts'

const SOURCES: readonly Option<LogFilter['source']>[] = [
  { value: 'all', label: 'All sources' },
  { value: 'stderr', label: 'Program output' },
  { value: 'log', label: 'Log messages' },
  { value: 'host', label: 'Parley' },
]
const LEVELS: readonly Option<LogLevel>[] = LOG_LEVELS.map((level) => ({ value: level, label: level }))
const NO_LINES: readonly ServerLogLine[] = []

/** The output and log messages of a server, live. Output on stderr is not a sign of failure. */
export function LogTab({ server }: { readonly server: ServerRecord }) {
  const topic = useServer(server.id)
  const live = topic === undefined || topic === 'gone' ? NO_LINES : topic.log
  const [paused, setPaused] = useState<readonly ServerLogLine[] | undefined>()
  const [filter, setFilter] = useState(SHOW_ALL)
  const field = draftFields(filter, (part) => setFilter({ ...filter, ...part }))
  const lines = paused ?? live
  const shown = useMemo(() => lines.filter((line) => passesLogFilter(line, filter)), [lines, filter])
  const missed = paused ? live.filter((line) => line.n > (paused.at(-1)?.n ?? 0)).length : 0
  const logs = server.hello?.capabilities.some((capability) => capability === 'logging') ?? false
  if (topic === undefined) return <Skeleton label="Loading the log" />
  return (
    <div className="tab column-3">
      <div className="toolbar line">
        <SearchField label="Search the log" {...field('search')} />
        <Select label="Source" hideLabel options={SOURCES} {...field('source')} />
        <Select
          label="Lowest level shown"
          hideLabel
          options={LEVELS.map((level) => ({ ...level, label: `From ${level.label}` }))}
          {...field('level')}
        />
        <Button size="small" aria-pressed={paused !== undefined} onClick={() => setPaused(paused ? undefined : live)}>
          <PauseIcon /> {paused ? 'Paused' : 'Pause'}
        </Button>
        <CopyButton label="Copy" text={() => shown.map(lineText).join('\n')} />
        {logs && server.state.is === 'ready' ? <LevelControl server={server} /> : null}
      </div>
      {missed > 0 ? <p className="meta">{counted(missed, 'newer line')}</p> : null}
      {lines.length === 0 ? (
        <EmptyState title="Nothing logged yet">The server’s output and events appear here.</EmptyState>
      ) : shown.length === 0 ? (
        <p className="soft">No line matches.</p>
      ) : (
        <Lines lines={shown} follow={paused === undefined} />
      )}
    </div>
  )
}

/** The level that the server sends. It keeps the level until told otherwise and does not report it, so none is shown at first. */
function LevelControl({ server }: { readonly server: ServerRecord }) {
  const [asked, setAsked] = useState<LogLevel | ''>('')
  const set = async (level: LogLevel) => {
    if (await attempt(ask('server.setLogLevel', { serverId: server.id, level }))) setAsked(level)
  }
  return (
    <Select
      label="Level the server sends"
      hideLabel
      placeholder="Server sends …"
      options={LEVELS.map((level) => ({ ...level, label: `Server sends ${level.label}` }))}
      value={asked}
      onChange={(level) => void set(level)}
    />
  )
}

/** Follows new lines while the reader is at the end. */
function Lines({ lines, follow }: { readonly lines: readonly ServerLogLine[]; readonly follow: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useEffect(() => {
    const element = box.current
    if (element && follow && atEnd.current) element.scrollTop = element.scrollHeight
  }, [lines, follow])
  const watch = () => {
    const element = box.current
    if (element) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
    <div className="log code framed" ref={box} onScroll={watch} tabIndex={0} role="log" aria-label="Server log" aria-live="off">
      {lines.map((line) => (
        <div className={`log-line log-${line.source}`} key={line.n}>
          <time className="soft" dateTime={new Date(line.at).toISOString()} title={new Date(line.at).toLocaleString('en')}>
            {clockTime(line.at)}
          </time>
          <span className="soft">{line.level ?? SOURCE_LABELS[line.source]}</span>
          <span className="log-text">
            {line.logger ? (
              <span className="soft">
                <VisibleText text={line.logger} />:{' '}
              </span>
            ) : null}
            <VisibleText text={withoutColours(line.text)} />
          </span>
        </div>
      ))}
    </div>
  )
}
