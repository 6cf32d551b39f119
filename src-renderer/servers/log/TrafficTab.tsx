import { useMemo, useState } from 'react'
import type { ServerRecord, TrafficEntry } from '../../../src-shared/contract/servers.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { ServerText } from '../../content/text/ServerText.tsx'
import { draftFields } from '../../forms/draft-fields.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { saveText } from '../../state/save-file.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { type Option, Select } from '../../ui/fields/Select.tsx'
import { PauseIcon } from '../../ui/icons.tsx'
import { VirtualList } from '../../ui/lists/VirtualList.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { bugReport } from './bug-report.ts'
import {
  ALL_TRAFFIC,
  exchanges,
  type LoggedExchange,
  methodsOf,
  passesTraffic,
  prettyMessage,
  subjectOf,
  type TrafficFilter,
} from './exchanges.ts'
import { clockTime } from './log-filter.ts'
import { useTraffic } from './use-traffic.ts'

type Direction = TrafficEntry['direction']

const LABELS: Readonly<Record<Direction, string>> = { sent: 'Sent', received: 'Received', http: 'HTTP', stderr: 'Output' }
const MARKS: Readonly<Record<Direction, string>> = { sent: '→', received: '←', http: '⇄', stderr: '·' }
const DIRECTIONS: readonly Option<Direction | 'all'>[] = [
  { value: 'all', label: 'All directions' },
  { value: 'sent', label: 'Sent to the server' },
  { value: 'received', label: 'Received from it' },
  { value: 'http', label: 'HTTP' },
  { value: 'stderr', label: 'Program output' },
]

/** The messages between Parley and the server as the host recorded them, newest first. */
export function TrafficTab({ server }: { readonly server: ServerRecord }) {
  const version = useHost((mirror) => mirror.host.version)
  const [paused, setPaused] = useState(false)
  const [filter, setFilter] = useState(ALL_TRAFFIC)
  const change = (part: Partial<TrafficFilter>) => setFilter({ ...filter, ...part })
  const field = draftFields(filter, change)
  const traffic = useTraffic(server.id, paused)
  const methods = useMemo(() => methodOptions(traffic.entries ?? [], filter.method), [traffic.entries, filter.method])
  const shown = useMemo(
    () =>
      exchanges(traffic.entries ?? [])
        .filter((one) => passesTraffic(one, filter))
        .reverse(),
    [traffic.entries, filter],
  )
  if (traffic.entries === undefined) return <Awaited label="Loading the traffic" problem={traffic.problem} />
  return (
    <div className="tab column-3">
      <div className="toolbar line">
        <SearchField label="Search the traffic" placeholder="Text, or an ID like #7" {...field('search')} />
        <Select label="Direction" hideLabel options={DIRECTIONS} {...field('direction')} />
        <Select label="Method" hideLabel options={methods} {...field('method')} />
        <Switch label="Pings" checked={filter.pings} onChange={(pings) => change({ pings })} />
        <Button size="small" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          <PauseIcon /> {paused ? 'Paused' : 'Pause'}
        </Button>
        <CopyButton label="Copy" text={() => inOrder(shown).map(entryText).join('\n')} />
      </div>
      <div className="toolbar line">
        <p className="meta grow">
          Kept in memory only. Known and likely secrets are redacted.
          {traffic.dropped > 0 ? ` ${counted(traffic.dropped, 'older entry', 'older entries')} dropped.` : ''}
        </p>
        <Button size="small" onClick={() => void attempt(saveReport(server, inOrder(shown), version))}>
          Save bug report
        </Button>
      </div>
      {traffic.entries.length === 0 ? (
        <EmptyState title="Nothing recorded yet">Messages appear here once the server starts.</EmptyState>
      ) : shown.length === 0 ? (
        <p className="soft">No entry matches.</p>
      ) : (
        <VirtualList
          label="Messages"
          items={shown}
          keyOf={({ entry }) => String(entry.n)}
          rowHeight={30}
          render={(exchange) => <Row exchange={exchange} />}
        />
      )}
    </div>
  )
}

function Row({ exchange: { entry, answer, took } }: { readonly exchange: LoggedExchange }) {
  const [open, setOpen] = useState(false)
  const subject = subjectOf(entry)
  return (
    <div className="traffic small">
      <button type="button" className="traffic-head hovers" aria-expanded={open} onClick={() => setOpen(!open)}>
        <time
          className="log-time soft"
          dateTime={new Date(entry.at).toISOString()}
          title={new Date(entry.at).toLocaleString('en')}
        >
          {clockTime(entry.at)}
        </time>
        <span className={`traffic-way traffic-${entry.direction}`}>
          <span aria-hidden="true">{MARKS[entry.direction]} </span>
          {LABELS[entry.direction]}
        </span>
        <span className="one-line">
          <VisibleText text={entry.method ?? entry.text.slice(0, 120)} />
          {subject === undefined ? null : (
            <>
              {' '}
              <VisibleText as="strong" text={subject} />
            </>
          )}
        </span>
        <span className="meta">{entry.id === undefined ? '' : <VisibleText text={`#${entry.id.slice(0, 24)}`} />}</span>
        <span className="meta">
          {(answer ?? entry).failed ? <span className="tone-fail">error, </span> : null}
          {took === undefined ? bytes(entry.bytes) : `${bytes(entry.bytes + (answer?.bytes ?? 0))}, ${took} ms`}
        </span>
      </button>
      {open ? (
        <div className={answer ? 'traffic-pair' : undefined}>
          <ServerText label={answer ? 'The request' : 'The message'} text={prettyMessage(entry.text)} />
          {answer ? <ServerText label="The answer" text={prettyMessage(answer.text)} /> : null}
        </div>
      ) : null}
    </div>
  )
}

/** The chosen method stays in the list when its messages are gone. Names come from the server, so they are cut. */
function methodOptions(entries: readonly TrafficEntry[], chosen: string): readonly Option<string>[] {
  const names = methodsOf(entries)
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen]
  return [
    { value: '', label: 'All methods' },
    ...all.slice(0, 200).map((name) => ({ value: name, label: visibleText(name).slice(0, 60) })),
  ]
}

/** All messages of these exchanges in order. */
function inOrder(shown: readonly LoggedExchange[]): readonly TrafficEntry[] {
  return shown.flatMap(({ entry, answer }) => (answer ? [entry, answer] : [entry])).sort((a, b) => a.n - b.n)
}

async function saveReport({ id, name }: ServerRecord, entries: readonly TrafficEntry[], version: string): Promise<void> {
  const { report } = await ask('server.diagnose', { serverId: id })
  saveText(bugReport(name, report, entries, version), 'parley-report.md', 'text/markdown')
}

function entryText(entry: TrafficEntry): string {
  return `${new Date(entry.at).toISOString()} ${LABELS[entry.direction]} ${entry.text}`
}
