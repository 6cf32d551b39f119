import { useMemo, useRef, useState } from 'react'
import { matchesWords } from '../../src-shared/base/matches-words.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { type ServerOffer, useOffers, useReadyServers } from '../offers/use-offers.ts'
import type { Picker } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { VirtualList } from '../ui/lists/VirtualList.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { OfferRow } from './OfferRow.tsx'
import { PromptStep } from './PromptStep.tsx'

/** Chooses a prompt of a server, fills in its arguments, and previews its messages before they enter the conversation. */
export function PromptPicker({ picker, onClose }: { readonly picker: Picker; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ServerOffer<Prompt> | undefined>(picker.prompt)
  const [search, setSearch] = useState(picker.prompt ? '' : (picker.typed?.text.slice(1) ?? ''))
  const field = useRef<HTMLInputElement>(null)
  const servers = useReadyServers()
  const { offers, loading, problems } = useOffers(servers, 'catalog.prompts')
  const shown = useMemo(() => offers.filter((offer) => matchesSearch(offer, search)), [offers, search])
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
      <div className="picker column-3" hidden={chosen !== undefined}>
        <SearchField
          ref={field}
          label="Search prompts"
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
          <div className="picker-list column-0 framed">
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
          <EmptyState title="No prompts available">
            Prompts are messages that servers prepare for you. They appear here when such a server is ready.
          </EmptyState>
        )}
        {problems.map((problem) => (
          <ProblemCard key={problem} level="warning" problem={problem} />
        ))}
      </div>
      {chosen ? (
        <PromptStep key={`${chosen.server.id} ${chosen.item.name}`} picker={picker} offer={chosen} onInserted={onClose} />
      ) : null}
    </Dialog>
  )
}

function matchesSearch({ server, item }: ServerOffer<Prompt>, search: string): boolean {
  return matchesWords([item.name, item.title, item.description, server.name].join('\n'), search)
}

interface PromptRowProps {
  readonly offer: ServerOffer<Prompt>
  readonly onChoose: (offer: ServerOffer<Prompt>) => void
}

function PromptRow({ offer, onChoose }: PromptRowProps) {
  const { server, item } = offer
  const name = item.title ? (
    <code className="soft">
      /<VisibleText text={item.name} />
    </code>
  ) : null
  const about = item.description ? (
    <VisibleText as="span" className="soft picker-row-about" text={item.description.slice(0, 300)} />
  ) : null
  return (
    <OfferRow
      server={server}
      title={item.title || item.name}
      icons={item.icons}
      name={name}
      below={about}
      onChoose={() => onChoose(offer)}
    >
      {item.arguments?.length ? <span className="meta">{counted(item.arguments.length, 'argument')}</span> : null}
    </OfferRow>
  )
}
