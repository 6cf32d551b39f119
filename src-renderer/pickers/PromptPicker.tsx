import { useCallback, useMemo, useRef, useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { ForeignIcon } from '../content/ForeignIcon.tsx'
import { readPrompts } from '../state/actions.ts'
import type { Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { counted } from '../ui/sizes.ts'
import { EmptyState, Skeleton } from '../ui/states.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { PromptStep } from './PromptStep.tsx'
import { type Offer, useOffers, useReadyServers } from './use-offers.ts'

/** Chooses a prompt of a server, fills in what it asks for, and looks at what it returns before it enters the conversation. */
export function PromptPicker({ picker, onClose }: { readonly picker: Picker; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<Offer<Prompt>>()
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const servers = useReadyServers()
  const load = useCallback(
    (serverId: ServerId, cursor: string | undefined, signal: AbortSignal) =>
      readPrompts({ serverId, ...(cursor === undefined ? {} : { cursor }) }, signal),
    [],
  )
  const { offers, loading, problems } = useOffers<Prompt>(servers, load)
  const shown = useMemo(() => offers.filter((offer) => found(offer, search)), [offers, search])
  return (
    <Dialog
      title="Use a prompt"
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      onOutside={onClose}
      initialFocus={field}
      corner={
        chosen ? (
          <Button size="small" onClick={() => setChosen(undefined)}>
            Back
          </Button>
        ) : null
      }
    >
      <div className="picker" hidden={chosen !== undefined}>
        <TextField
          ref={field}
          type="search"
          label="Search prompts"
          hideLabel
          placeholder="Search by name"
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => {
            const [only] = shown
            if (event.key !== 'Enter' || shown.length !== 1 || !only) return
            event.preventDefault()
            setChosen(only)
          }}
        />
        <div className="meta" role="status">
          {loading ? 'Loading what servers offer …' : counted(shown.length, 'prompt')}
        </div>
        {offers.length > 0 ? (
          <div className="picker-list">
            <VirtualList
              label="Prompts"
              items={shown}
              keyOf={({ server, item }) => `${server.id}\n${item.name}`}
              rowHeight={62}
              render={(offer) => <PromptRow offer={offer} onChoose={setChosen} />}
            />
          </div>
        ) : loading ? (
          <Skeleton label="Loading prompts" />
        ) : (
          <EmptyState title="No server offers prompts now">
            Prompts are messages that servers prepare for you. They show here when such a server is ready.
          </EmptyState>
        )}
        {problems.map((problem) => (
          <ProblemCard key={problem} level="warning" problem={{ code: 'list', what: problem }} />
        ))}
      </div>
      {chosen ? (
        <PromptStep key={`${chosen.server.id} ${chosen.item.name}`} picker={picker} offer={chosen} onInserted={onClose} />
      ) : null}
    </Dialog>
  )
}

function found({ server, item }: Offer<Prompt>, search: string): boolean {
  const text = [item.name, item.title, item.description, server.name].join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface PromptRowProps {
  readonly offer: Offer<Prompt>
  readonly onChoose: (offer: Offer<Prompt>) => void
}

function PromptRow({ offer, onChoose }: PromptRowProps) {
  const { server, item } = offer
  return (
    <button type="button" className="picker-row" onClick={() => onChoose(offer)}>
      <span className="picker-row-head">
        <ForeignIcon icons={item.icons} />
        <strong>
          <VisibleText text={item.title || item.name} />
        </strong>
        {item.title ? (
          <code className="soft">
            /<VisibleText text={item.name} />
          </code>
        ) : null}
        <span className="content-server">
          <VisibleText text={server.name} />
        </span>
        {item.arguments?.length ? <span className="meta">{counted(item.arguments.length, 'argument')}</span> : null}
      </span>
      {item.description ? (
        <span className="soft picker-row-about">
          <VisibleText text={item.description.slice(0, 300)} />
        </span>
      ) : null}
    </button>
  )
}
