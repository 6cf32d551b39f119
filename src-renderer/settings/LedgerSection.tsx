import { useEffect, useRef, useState } from 'react'
import type { LedgerCheck, LedgerPage } from '../../src-shared/contract/consent.ts'
import { ArgumentsTable } from '../content/ArgumentsTable.tsx'
import { checkLabel, DECISION_LABELS, outcomeLabel } from '../content/ledger-labels.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { seekCall } from '../state/conversation-actions.ts'
import { saveText } from '../state/save-file.ts'
import { useRequest } from '../state/use-request.ts'
import { announce } from '../state/view-store.ts'
import { bytes, counted, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { Rows } from '../ui/lists/Rows.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

type Entry = LedgerPage['items'][number]

const PAUSE = 200
const VIRTUAL_FROM = 100

/** The decisions about tool calls, newest first, with the check of their chain and an export. */
export function LedgerSection() {
  const [search, setSearch] = useState('')
  const { value, problem, reload } = useRequest('ledger.page', { search }, { pause: search === '' ? 0 : PAUSE })
  const [earlier, setEarlier] = useState<{ readonly to: LedgerPage; readonly page: LedgerPage }>()
  if (!value || problem !== undefined) return <Awaited label="Loading the ledger" problem={problem} onRetry={reload} />
  if (value.total === 0 && search === '') return <p className="soft">No entries yet.</p>
  // Pages of an earlier search or reading are dropped.
  const { items, next } = earlier?.to === value ? earlier.page : value
  const more = async (before: number) => {
    const [page] = (await attempt(ask('ledger.page', { search, before }))) ?? []
    if (page) setEarlier({ to: value, page: { ...page, items: [...items, ...page.items] } })
  }
  return (
    <>
      <LedgerPasses />
      <SearchField label="Search the ledger" value={search} onChange={setSearch} />
      <Rows
        many={items.length > VIRTUAL_FROM}
        label="Ledger"
        items={items}
        keyOf={(entry) => String(entry.number)}
        rowHeight={88}
        render={(entry) => <EntryRow entry={entry} />}
      />
      {items.length === 0 ? <p className="soft">No entry matches “{search.trim()}”.</p> : null}
      <div className="line">
        {next === undefined ? null : (
          <Button size="small" onClick={() => void more(next)}>
            Show earlier
          </Button>
        )}
        <span className="meta">
          {grouped(items.length)} of {counted(value.total, 'entry', 'entries')}
        </span>
      </div>
    </>
  )
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  return (
    <Disclosure
      summary={
        <span className="column-tight">
          <span>
            <VisibleText as="strong" text={entry.tool} /> on <VisibleText text={entry.serverName ?? entry.serverId} />
            {entry.byApp ? ', by its app' : null}
            {entry.undoes ? ', an undo of yours' : null}
          </span>
          <span>
            {DECISION_LABELS[entry.decision]} · <VisibleText text={outcomeLabel(entry.outcome)} />
          </span>
          {entry.why === undefined ? null : <VisibleText as="span" className="soft" text={entry.why} />}
          <span className="meta">
            <RelativeTime at={entry.at} /> · entry {grouped(entry.number)}
          </span>
        </span>
      }
      row
      className="padded"
    >
      {() => <EntryDetails entry={entry} />}
    </Disclosure>
  )
}

function EntryDetails({ entry }: { readonly entry: Entry }) {
  const { arguments: args, argumentsBytes, argumentsHash, chainedLater, hash, proposed, conversationId, toolCallId } = entry
  return (
    <div className="ledger-details column">
      {args === undefined ? (
        <p className="soft">Arguments not kept.</p>
      ) : (
        <>
          <ArgumentsTable json={{ json: args }} />
          {argumentsBytes === undefined ? null : <p className="soft">First part of {bytes(argumentsBytes)}.</p>}
        </>
      )}
      {proposed === undefined ? null : (
        <Disclosure summary="You changed the arguments. The model wrote">
          <ArgumentsTable json={{ json: proposed }} />
        </Disclosure>
      )}
      {chainedLater ? <p className="soft">Older than the integrity check: changes cannot be detected.</p> : null}
      {conversationId && toolCallId ? (
        <div>
          <Button size="small" onClick={() => void attempt(seekCall(conversationId, toolCallId))}>
            Show in conversation
          </Button>
        </div>
      ) : null}
      <div className="meta">SHA-256 of the arguments: {argumentsHash}</div>
      <div className="meta">Hash of the entry: {hash}</div>
    </div>
  )
}

type Pass =
  | { readonly is: 'checking' | 'exporting'; readonly reached: number }
  | { readonly is: 'done'; readonly summary: string }

/** Checks or exports the whole ledger in parts, with progress. */
function LedgerPasses() {
  const [work, setWork] = useState<Pass>()
  const leave = useRef<AbortController>(undefined)
  useEffect(() => () => leave.current?.abort(), [])
  const run = async (is: 'checking' | 'exporting', pass: (report: Report, signal: AbortSignal) => Promise<string>) => {
    const giveUp = new AbortController()
    leave.current = giveUp
    setWork({ is, reached: 0 })
    const [summary] = (await attempt(pass((reached) => setWork({ is, reached }), giveUp.signal))) ?? []
    if (giveUp.signal.aborted) return
    setWork(summary === undefined ? undefined : { is: 'done', summary })
    if (summary !== undefined) announce(summary)
  }
  const busy = work !== undefined && work.is !== 'done'
  return (
    <div className="line">
      <Button size="small" disabled={busy} onClick={() => void run('checking', checkChain)}>
        Verify integrity
      </Button>
      <Button size="small" disabled={busy} onClick={() => void run('exporting', exportAll)}>
        Export
      </Button>
      {busy ? (
        <span className="meta">
          {work.is === 'checking' ? 'Checking' : 'Exporting'} … {grouped(work.reached)}
        </span>
      ) : null}
      {work?.is === 'done' ? <span>{work.summary}</span> : null}
    </div>
  )
}

type Report = (reached: number) => void

async function checkChain(report: Report, signal: AbortSignal): Promise<string> {
  let found: LedgerCheck = { entries: 0, bytes: 0, next: 0 }
  while (found.next !== undefined) {
    report(found.next)
    const part = await ask('ledger.check', { after: found.next }, signal)
    found = { ...part, entries: found.entries + part.entries, bytes: found.bytes + part.bytes }
  }
  return checkLabel(found)
}

async function exportAll(report: Report, signal: AbortSignal): Promise<string> {
  const parts: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    report(after)
    const part: { readonly text: string; readonly next?: number } = await ask('ledger.export', { after }, signal)
    parts.push(part.text)
    after = part.next
  }
  saveText(parts, 'parley-ledger.jsonl', 'application/jsonl')
  return 'Exported.'
}
