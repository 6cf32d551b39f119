import { useMemo, useState } from 'react'
import type { TrafficEntry } from '../../src-shared/contract/requests.ts'
import type { ServerId } from '../../src-shared/contract/servers.ts'
import { Button } from '../ui/Button.tsx'
import { type Option, Select, TextField } from '../ui/fields.tsx'
import { PauseIcon } from '../ui/icons.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { bytes, counted } from '../ui/sizes.ts'
import { EmptyState, Skeleton } from '../ui/states.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { CopyButton } from './CopyButton.tsx'
import { ForeignText } from './ForeignText.tsx'
import { clockTime } from './log-filter.ts'
import { useTraffic } from './use-traffic.ts'

type Direction = TrafficEntry['direction']

const WORDS: Readonly<Record<Direction, string>> = { sent: 'Sent', received: 'Received', http: 'HTTP', stderr: 'Output' }
const MARKS: Readonly<Record<Direction, string>> = { sent: '→', received: '←', http: '⇄', stderr: '·' }
const DIRECTIONS: readonly Option<Direction | 'all'>[] = [
  { value: 'all', label: 'All directions' },
  { value: 'sent', label: 'Sent to the server' },
  { value: 'received', label: 'Received from it' },
  { value: 'http', label: 'HTTP' },
  { value: 'stderr', label: 'Program output' },
]

/** Every message between Parley and the server, newest first, as the host recorded it. */
export function TrafficTab({ serverId }: { readonly serverId: ServerId }) {
  const [paused, setPaused] = useState(false)
  const [search, setSearch] = useState('')
  const [direction, setDirection] = useState<Direction | 'all'>('all')
  const traffic = useTraffic(serverId, paused)
  const wanted = search.trim().toLowerCase()
  const answered = useMemo(() => answeredMethods(traffic.entries ?? []), [traffic.entries])
  const shown = useMemo(
    () => (traffic.entries ?? []).filter((entry) => matches(entry, direction, wanted)).reverse(),
    [traffic.entries, direction, wanted],
  )
  if (traffic.problem !== undefined) return <ProblemCard problem={{ code: 'traffic', what: traffic.problem }} />
  if (traffic.entries === undefined) return <Skeleton label="Loading the traffic" />
  return (
    <div className="tab tab-full">
      <div className="toolbar">
        <TextField
          type="search"
          label="Search the traffic"
          hideLabel
          placeholder="Search the traffic"
          value={search}
          onChange={setSearch}
        />
        <Select label="Direction" hideLabel options={DIRECTIONS} value={direction} onChange={setDirection} />
        <Button size="small" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          <PauseIcon /> {paused ? 'Paused' : 'Pause'}
        </Button>
        <CopyButton label="Copy" text={() => shown.map(entryText).reverse().join('\n')} />
      </div>
      <p className="meta">
        Kept in memory only. Secrets that Parley knows, and what looks like one, are blacked out before they are recorded.
        {traffic.dropped > 0 ? ` ${counted(traffic.dropped, 'older entry', 'older entries')} made room for newer ones.` : ''}
      </p>
      {traffic.entries.length === 0 ? (
        <EmptyState title="Nothing recorded yet">Messages to and from the server stand here once it is started.</EmptyState>
      ) : shown.length === 0 ? (
        <p className="soft">No entry passes the filter.</p>
      ) : (
        <VirtualList
          label="Messages"
          items={shown}
          keyOf={(entry) => String(entry.n)}
          rowHeight={30}
          render={(entry) => <Row entry={entry} answers={answered.get(entry.n)} />}
        />
      )}
    </div>
  )
}

interface RowProps {
  readonly entry: TrafficEntry
  /** The method of the request that it answers. */
  readonly answers: string | undefined
}

function Row({ entry, answers }: RowProps) {
  const [open, setOpen] = useState(false)
  return (
    <div className="traffic">
      <button type="button" className="traffic-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <time className="log-time" dateTime={new Date(entry.at).toISOString()} title={new Date(entry.at).toLocaleString('en')}>
          {clockTime(entry.at)}
        </time>
        <span className={`traffic-way traffic-${entry.direction}`}>
          <span aria-hidden="true">{MARKS[entry.direction]} </span>
          {WORDS[entry.direction]}
        </span>
        <span className="traffic-method">
          <VisibleText text={entry.method ?? (answers === undefined ? entry.text.slice(0, 120) : `answer to ${answers}`)} />
        </span>
        <span className="traffic-id meta">
          {entry.id === undefined ? '' : <VisibleText text={`#${entry.id.slice(0, 24)}`} />}
        </span>
        <span className="traffic-size meta">{bytes(entry.bytes)}</span>
      </button>
      {open ? <ForeignText label="The message" text={pretty(entry.text)} /> : null}
    </div>
  )
}

/** What each answer answers, by its number. Ids begin anew with every connection, so the latest request with an id counts. */
function answeredMethods(entries: readonly TrafficEntry[]): ReadonlyMap<number, string> {
  const open = new Map<string, string>()
  const answered = new Map<number, string>()
  for (const { n, direction, id, method } of entries) {
    if (id === undefined) continue
    if (method !== undefined) open.set(`${direction === 'sent' ? 'received' : 'sent'} ${id}`, method)
    else {
      const asked = open.get(`${direction} ${id}`)
      if (asked !== undefined) answered.set(n, asked)
    }
  }
  return answered
}

function matches(entry: TrafficEntry, direction: Direction | 'all', wanted: string): boolean {
  if (direction !== 'all' && entry.direction !== direction) return false
  return wanted === '' || entry.text.toLowerCase().includes(wanted) || (entry.method?.toLowerCase().includes(wanted) ?? false)
}

function entryText(entry: TrafficEntry): string {
  return `${new Date(entry.at).toISOString()} ${WORDS[entry.direction]} ${entry.text}`
}

/** A recorded message may be cut; then it stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
