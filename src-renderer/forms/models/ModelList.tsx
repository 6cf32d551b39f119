import { Fragment, type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ModelEntry, ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { modelGroups, modelKey, withEffort } from '../../state/models.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** Shown at once; the search finds the rest. */
const SHOWN = 150
const NAME = 120

export interface ModelListProps {
  readonly value: ModelRef
  readonly onChoose: (model: ModelRef) => void
  readonly onClose: () => void
}

/** Every model by provider, with what it can do; the search keeps the focus. */
export function ModelList({ value, onChoose, onClose }: ModelListProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [moved, setMoved] = useState<string>()
  const providers = useHost((mirror) => mirror.host.providers)
  const heads = useHost((mirror) => mirror.host.conversations)
  const groups = useMemo(() => {
    return modelGroups(providers, value, { recent: heads.map(({ model }) => model), search })
  }, [providers, heads, value, search])
  const found = groups.flatMap(({ options }) => options)
  const shown = found.slice(0, SHOWN)
  const chosen = modelKey(value)
  const wanted = moved ?? (search === '' ? chosen : undefined)
  const at = Math.max(
    0,
    shown.findIndex(({ value: key }) => key === wanted),
  )
  const active = shown[at]
  const idOf = (key: string) => `${id}-${shown.findIndex((one) => one.value === key)}`

  useLayoutEffect(() => field.current?.focus(), [])
  const activeId = active && idOf(active.value)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = shown.length - 1
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at === 0 ? last : at - 1 }[event.key]
    if (to !== undefined) setMoved(shown[to]?.value)
    else if (event.key === 'Enter') {
      if (active) onChoose(withEffort(active, value))
    } else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <TextField
        ref={field}
        label="Search models"
        hideLabel
        placeholder="Search models"
        value={search}
        onChange={(text) => {
          setSearch(text)
          setMoved(undefined)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
      />
      <div className="unseen" role="status">
        {search === '' ? '' : counted(found.length, 'model')}
      </div>
      <div className="model-list" role="listbox" id={`${id}-list`} aria-label="Models" tabIndex={-1}>
        {groups.map(({ key, label, options }) => {
          const here = options.filter((option) => shown.includes(option))
          return here.length === 0 ? null : (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
            <div key={key} role="group" aria-label={label}>
              <div className="model-group" aria-hidden>
                <VisibleText text={label} />
              </div>
              {here.map((option) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
                <div
                  key={option.value}
                  id={idOf(option.value)}
                  role="option"
                  aria-selected={option.value === chosen}
                  className={option === active ? 'model-option model-option-active' : 'model-option'}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChoose(withEffort(option, value))}
                >
                  <span className="model-name">
                    <VisibleText text={option.entry.name.slice(0, NAME)} />
                  </span>
                  <Traits entry={option.entry} />
                </div>
              ))}
            </div>
          )
        })}
      </div>
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
    <span className="model-traits">
      {traits.map((trait) =>
        trait ? (
          <Fragment key={trait.words}>
            {' '}
            <span className="model-trait" title={trait.means}>
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
