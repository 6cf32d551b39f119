import { useState } from 'react'
import {
  FENCED_FOLDERS,
  FENCED_HOSTS,
  type FencePolicy,
  type ServerRecord,
  type WatchedReach,
  type WatchReport,
} from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { keptOutToo } from '../../state/kept-out.ts'
import { useAction } from '../../state/use-action.ts'
import { announce } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import '../../forms/forms.css'

type Folder = Extract<WatchedReach, { kind: 'folder' }>
type Host = Extract<WatchedReach, { kind: 'host' }>
type Choice = Folder['proposal']

const FOLDER_CHOICES: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'out', label: 'Keep out' },
  { value: 'read', label: 'Read' },
  { value: 'change', label: 'Read and change' },
]
const HOST_CHOICES = [
  { value: 'out', label: 'Keep out' },
  { value: 'in', label: 'Reach' },
] as const

const USES: Readonly<Record<Folder['use'], string>> = {
  none: 'You named it. Not used yet.',
  looked: 'It looked for something there and did not get it.',
  read: 'It read files there.',
  refused: 'It tried to change files there.',
  changed: 'It changed files there.',
}

interface WatchSheetProps {
  readonly server: ServerRecord
  readonly report: WatchReport
  readonly onClose: () => void
}

/** Each reach of a watched server with a choice, and a fence of what was chosen. */
export function WatchSheet({ server, report: latest, onClose }: WatchSheetProps) {
  // The server may reach more behind the sheet; the lines stay those that the person reads.
  const [report] = useState(latest)
  const { fence } = server.options
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice | 'in'>>(new Map())
  const { run, busy, problem } = useAction()
  const choose = (name: string, choice: Choice | 'in') => setChoices(new Map(choices).set(name, choice))
  const folders = report.reaches.filter((reach) => reach.kind === 'folder')
  const hosts = report.reaches.filter((reach) => reach.kind === 'host')
  const others = report.reaches.filter((reach) => 'path' in reach && reach.kind !== 'folder')
  const folderChoice = ({ path, proposal, why }: Folder) =>
    why ? 'out' : ((choices.get(path) as Choice | undefined) ?? proposal)
  const hostChoice = ({ host, proposal }: Host) => (choices.get(host) ?? (proposal ? 'in' : 'out')) === 'in'
  const confirm = async () => {
    const next: FencePolicy = {
      network: networkOf(
        fence,
        hosts.filter(hostChoice).map(({ host }) => host),
      ),
      folders: folders
        .filter((folder) => folderChoice(folder) !== 'out')
        .map((folder) => ({ path: folder.path, write: folderChoice(folder) === 'change' }))
        .slice(0, FENCED_FOLDERS),
    }
    const out = hosts.filter((host) => !hostChoice(host)).map(({ host }) => host)
    const options = { fence: next, watchedSince: null, ...keptOutToo(server, out) }
    if (!(await run(() => ask('server.setOptions', { serverId: server.id, options })))) return
    announce('Fenced')
    onClose()
  }
  return (
    <Dialog
      title={`${fence ? 'Change the fence of' : 'Fence'} ${visibleText(server.name)}`}
      closeLabel="Cancel"
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={busy} onClick={() => void confirm()}>
            {fence ? 'Change the fence' : 'Fence it'}
          </Button>
        </>
      }
    >
      {folders.length + hosts.length === 0 ? <p className="soft">It reached none of your folders and no host.</p> : null}
      <ul className="folder-rows framed divided" aria-label="Folders">
        {folders.map((folder) => (
          <li key={folder.path} className="folder-row row">
            <div className="breaks grow">
              <VisibleText as="code" text={folder.path} />
              <p className="meta">{folder.why ? `${USES[folder.use]} It stays out: ${folder.why}.` : USES[folder.use]}</p>
            </div>
            <Select
              label={`Folder ${visibleText(folder.path)}`}
              hideLabel
              options={FOLDER_CHOICES}
              value={folderChoice(folder)}
              disabled={folder.why !== undefined}
              onChange={(choice) => choose(folder.path, choice)}
            />
          </li>
        ))}
      </ul>
      <ul className="folder-rows framed divided" aria-label="Hosts">
        {hosts.map((host) => (
          <li key={host.host} className="folder-row row">
            <div className="breaks grow">
              <VisibleText as="code" text={host.host} />
              <p className="meta">{host.reached ? 'It connected.' : 'It could not connect.'}</p>
            </div>
            <Select
              label={`Host ${visibleText(host.host)}`}
              hideLabel
              options={HOST_CHOICES}
              value={hostChoice(host) ? 'in' : 'out'}
              onChange={(choice) => choose(host.host, choice)}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <ul className="meta breaks" aria-label="Programs and sockets">
          {others.map((other) => (
            <li key={`${other.kind} ${other.path}`}>
              {other.kind === 'program' ? 'It ran ' : 'It used the socket '}
              <VisibleText as="code" text={other.path} />
            </li>
          ))}
        </ul>
      ) : null}
      {left(report.more, 'more place')}
      {left(report.moreHosts, 'more host')}
      {report.missed > 0 ? <p className="meta">It did more than Parley could note.</p> : null}
      <FailureLine problem={problem} />
    </Dialog>
  )
}

/** A sentence about reaches that have no line. */
const left = (count: number, noun: string) =>
  count > 0 ? (
    <p className="meta">
      And {counted(count, noun)}, which {count === 1 ? 'stays' : 'stay'} out.
    </p>
  ) : null

/** Hosts are added to those of the fence; a fence that is open for all hosts stays so. */
function networkOf(fence: FencePolicy | null, chosen: readonly string[]): FencePolicy['network'] {
  if (fence?.network === 'any') return 'any'
  const before = typeof fence?.network === 'object' ? fence.network.hosts : []
  const hosts = [...new Set([...before, ...chosen])].slice(0, FENCED_HOSTS)
  return hosts.length > 0 ? { hosts } : 'none'
}
