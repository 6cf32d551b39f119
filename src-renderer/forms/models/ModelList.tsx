import { Fragment, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import type { ModelEntry, ModelRef } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { modelGroups, modelKey, withEffort } from '../../state/models.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { useCombobox } from '../../ui/lists/combobox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** The most models shown at once; the search finds the rest. */
const SHOWN = 150
const NAME = 120
/** Providers without a present list, as choices, since Tab leaves the list. */
const UNLISTED = { key: 'unlisted', label: 'Models not listed' }
/** The record shows a failure. */
const listAgain = (id: ProviderId) => void attempt(ask('provider.refresh', { id }))

interface ModelListProps {
  readonly value: ModelRef
  readonly onChoose: (model: ModelRef) => void
  readonly onClose: () => void
}

/** Every model by provider, with its traits. The search keeps the focus. */
export function ModelList({ value, onChoose, onClose }: ModelListProps) {
  const field = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const providers = useHost((mirror) => mirror.host.providers)
  const heads = useHost((mirror) => mirror.host.conversations)
  const found = useMemo(() => {
    const groups = modelGroups(providers, value, { recent: heads.map(({ model }) => model), search })
    return groups.flatMap((section) => section.options.map((option) => ({ section, option })))
  }, [providers, heads, value, search])
  useLayoutEffect(() => field.current?.focus(), [])
  const choices = found.slice(0, SHOWN).map(({ section, option }) => ({
    key: option.value,
    section,
    entry: option.entry,
    isChosen: option.value === modelKey(value),
    choose: () => onChoose(withEffort(option, value)),
  }))
  const failed = providers.flatMap(({ id, name, problem, state }) =>
    problem || state === 'looking'
      ? [{ key: id, section: UNLISTED, name, problem, isChosen: false, choose: () => listAgain(id) }]
      : [],
  )
  const chosenAt = choices.findIndex(({ isChosen }) => isChosen)
  const models = useCombobox({
    label: 'Models',
    choices: [...choices, ...failed],
    query: search,
    start: search === '' ? Math.max(0, chosenAt) : 0,
    render: (choice) =>
      'entry' in choice ? (
        <>
          <VisibleText as="span" className="model-name" text={choice.entry.name.slice(0, NAME)} />
          <Traits entry={choice.entry} />
        </>
      ) : (
        <>
          <VisibleText as="span" className="model-name" text={choice.name.slice(0, NAME)} />
          <span className="meta">{choice.problem ? `${choice.problem.what} Try again` : 'Asking for its models …'}</span>
        </>
      ),
    classOf: () => 'model-option',
    onClose,
    tab: 'closes',
    keepsEnter: true,
  })
  return (
    <>
      <TextField
        ref={field}
        label="Search models"
        hideLabel
        placeholder="Search models"
        value={search}
        onChange={setSearch}
        {...models.field}
      />
      <div className="unseen" role="status">
        {search === '' ? '' : counted(found.length, 'model')}
      </div>
      {models.list('scrolls')}
      {found.length === 0 ? <p className="meta model-none">No model matches.</p> : null}
      {found.length > SHOWN ? <p className="meta model-none">{grouped(found.length)} models: type to narrow them.</p> : null}
    </>
  )
}

/** Known facts of a model, as small labels. */
function Traits({ entry: { vision, tools, efforts, contextWindow, price } }: { readonly entry: ModelEntry }) {
  const traits = [
    vision ? { words: 'images', means: 'Sees images' } : undefined,
    tools === undefined ? undefined : { words: tools ? 'tools' : 'no tools', means: tools ? 'Uses tools' : 'Cannot use tools' },
    efforts?.length ? { words: 'effort', means: 'Adjustable effort' } : undefined,
    contextWindow === undefined
      ? undefined
      : { words: `${short(contextWindow)} tokens`, means: `Context window: ${grouped(contextWindow)} tokens` },
    price && (price.input > 0 || price.output > 0)
      ? {
          words: `$${dollars(price.input)} / $${dollars(price.output)}`,
          means: `About $${dollars(price.input)} in and $${dollars(price.output)} out per million tokens`,
        }
      : undefined,
  ]
  return (
    <span className="chips">
      {traits.map((trait) =>
        trait ? (
          <Fragment key={trait.words}>
            {' '}
            <span className="chip" title={trait.means}>
              {trait.words}
            </span>
          </Fragment>
        ) : null,
      )}
    </span>
  )
}

const short = (tokens: number) =>
  tokens >= 1_000_000 ? `${Math.round(tokens / 100_000) / 10}M` : tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : `${tokens}`
const dollars = (amount: number) => `${Number(amount.toPrecision(3))}`
