import { type KeyboardEvent, useId, useState } from 'react'
import type { Power, ToolPowersView } from '../../src-shared/contract/consent.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { isVerified, POWER_LABELS } from '../content/power-labels.ts'
import { ServerText } from '../content/text/ServerText.tsx'
import { ask } from '../state/ask.ts'
import { failureText } from '../state/attempt.ts'
import { routeHash } from '../state/route.ts'
import { useRequest } from '../state/use-request.ts'
import { announce } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { Granted } from '../ui/grants/use-grant.ts'
import { Rows } from '../ui/lists/Rows.tsx'
import { Awaited, ProblemCard } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { choicesFor, guessOf, type PowerChoices, telling, toldBefore } from './tool-sheet.ts'
import './powers.css'

const VIRTUAL_FROM = 60

export interface ToolSheetProps {
  readonly server: Pick<ServerRecord, 'id' | 'name' | 'catalog' | 'launchIdentity'>
  /** Shows only tools that are not reviewed yet, until the person asks for all. */
  readonly onlyUnmet?: boolean
  /** Shows this tool alone, though its powers may be verified. */
  readonly only?: string
  readonly onClose: () => void
}

/** All tools of an unknown server, or one of any server, with the guessed powers of each and the person's choice. */
export function ToolSheet({ server, onlyUnmet = false, only, onClose }: ToolSheetProps) {
  const { id: serverId, catalog, launchIdentity } = server
  const { value, problem } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version, launchIdentity] })
  const title =
    only === undefined ? `What the tools of ${visibleText(server.name)} do` : `What ${visibleText(only.slice(0, 200))} does`
  if (!value) {
    return (
      <Dialog title={title} size="wide" closeLabel="Close" onEscape={onClose}>
        <Awaited label="Loading the tools" problem={problem} />
      </Dialog>
    )
  }
  const tools = value.tools.filter(({ tool, guess }) => (only === undefined ? !isVerified(guess.known) : tool === only))
  // A changed definition discards the choices made for the previous one.
  const key = tools.map(({ fingerprint }) => fingerprint).join()
  const known = only === undefined ? value.tools.length - tools.length : 0
  return (
    <Sheet
      key={key}
      server={server}
      title={title}
      tools={tools}
      known={known}
      onlyUnmet={onlyUnmet}
      only={only}
      onClose={onClose}
    />
  )
}

interface SheetProps extends Required<Omit<ToolSheetProps, 'only'>> {
  readonly only: string | undefined
  readonly title: string
  readonly tools: readonly ToolPowersView[]
  /** Number of tools whose powers are verified. */
  readonly known: number
}

function Sheet({ server, title, tools, known, onlyUnmet, only, onClose }: SheetProps) {
  const { id: serverId } = server
  const [choices, setChoices] = useState<PowerChoices>(() => toldBefore(tools))
  const [search, setSearch] = useState('')
  const unmet = tools.filter((tool) => tool.unmet)
  const verified = tools.length > 0 && tools.every(({ guess }) => isVerified(guess.known))
  const [fewer, setFewer] = useState(onlyUnmet && unmet.length > 0 && unmet.length < tools.length)
  const [failure, setFailure] = useState<string>()
  const wanted = search.trim().toLowerCase()
  const shown = (fewer ? unmet : tools).filter(({ tool }) => tool.toLowerCase().includes(wanted))
  const many = shown.length > VIRTUAL_FROM
  const choose = (tool: ToolPowersView, power: Power | undefined) => {
    const next = new Map(choices)
    if (power === undefined || power === guessOf(tool)) next.delete(tool.tool)
    else next.set(tool.tool, power)
    setChoices(next)
  }
  const tell = (told: Parameters<typeof telling> | undefined, said: string) =>
    ask('consent.tellPowers', { serverId, tools: told ? telling(...told) : null }).then(
      () => {
        announce(said)
        onClose()
      },
      (error: unknown) => setFailure(failureText(error)),
    )
  return (
    <Dialog
      title={title}
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      footer={
        <>
          {only === undefined && tools.some(({ told }) => told) ? (
            <Button variant="quiet" onClick={() => void tell(undefined, 'Taken back. They are guesses again.')}>
              Take back
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Granted value={tools}>
            <GrantButton variant="primary" held={tools.length === 0} onGrant={() => void tell([tools, choices], 'Saved.')}>
              {choices.size === 0 && !verified ? 'As guessed' : 'Save'}
            </GrantButton>
          </Granted>
        </>
      }
    >
      <p>
        {verified
          ? 'Known to Parley. You can add to it, and take back what you added.'
          : 'Guessed from their names. If you say that a tool only reads, you are asked less. Guards stay, and its results still count as others’ words.'}
      </p>
      {known > 0 ? <p className="meta">{counted(known, 'other tool')} known already.</p> : null}
      {only === undefined ? (
        <div className="line">
          <div className="grow">
            <SearchField label="Search tools" value={search} onChange={setSearch} />
          </div>
          {fewer ? (
            <Button size="small" onClick={() => setFewer(false)}>
              Show all {tools.length}
            </Button>
          ) : null}
        </div>
      ) : null}
      <p className="meta">Keys in a row: r reads, c changes, s sends out, d destroys, p spends, u unclear, i information.</p>
      {shown.length === 0 ? <p className="soft">No tool matches.</p> : null}
      <div className={many ? 'tool-sheet-many column-0' : undefined}>
        <Rows
          many={many}
          label="Tools"
          items={shown}
          keyOf={({ tool }) => tool}
          rowHeight={46}
          render={(tool) => <ToolRow server={server} tool={tool} chosen={choices.get(tool.tool)} onChoose={choose} />}
        />
      </div>
      {failure === undefined ? null : <ProblemCard problem={failure} />}
    </Dialog>
  )
}

interface ToolRowProps {
  readonly server: ToolSheetProps['server']
  readonly tool: ToolPowersView
  readonly chosen: Power | undefined
  readonly onChoose: (tool: ToolPowersView, power: Power | undefined) => void
}

function ToolRow({ server, tool, chosen, onChoose }: ToolRowProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const choices = choicesFor(tool)
  const now = chosen ?? guessOf(tool)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 'i') setOpen(!open)
    const choice = choices.find((one) => one.key === key)
    if (!choice || choice.held) return
    event.preventDefault()
    onChoose(tool, choice.power)
    event.currentTarget.querySelector<HTMLElement>(`[value=${choice.key}]`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the group within
    <div className="tool-sheet-row" onKeyDown={onKeyDown}>
      <button
        type="button"
        className="breaks form-link"
        tabIndex={-1}
        aria-expanded={open}
        id={id}
        onClick={() => setOpen(!open)}
      >
        <VisibleText as="code" text={tool.tool.slice(0, 200)} />
      </button>
      <span className="meta">
        {chosen === undefined ? (isVerified(tool.guess.known) ? 'known' : 'guessed') : 'by you'}
        {tool.unmet === 'changed' ? ', changed' : ''}
      </span>
      <div className="tool-sheet-choices" role="radiogroup" aria-labelledby={id}>
        {choices.map(({ key, power, held }) => (
          <label className="chip" key={key} title={held ? 'Its name suggests more, or it takes text' : undefined}>
            <input
              type="radio"
              name={id}
              value={key}
              checked={now === power}
              disabled={held}
              onChange={() => onChoose(tool, power)}
            />
            {power ? POWER_LABELS[power] : 'Unclear'}
          </label>
        ))}
      </div>
      {open ? <Information server={server} tool={tool} /> : null}
    </div>
  )
}

function Information({ server: { id: serverId }, tool: { tool, mayOnlyRead } }: Pick<ToolRowProps, 'server' | 'tool'>) {
  const { value, problem } = useRequest('catalog.tool', { serverId, tool })
  if (!value) return <Awaited label="Loading the description" problem={problem} />
  return (
    <div className="tool-sheet-information column">
      <ServerText label="Description" text={value.entry.description || 'No description.'} />
      <p className="meta">
        {mayOnlyRead ? '' : 'Its name suggests more than reading, or it takes text. '}
        <a href={routeHash({ section: 'servers', id: serverId, tab: 'tools', item: tool })}>Details of this tool</a>
      </p>
    </div>
  )
}
