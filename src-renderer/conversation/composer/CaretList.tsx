import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { chosenOf, EVERYTHING, passes, ranked, resourceEntries } from '../../offers/resource-entries.ts'
import { useOffers, useReadyServers } from '../../offers/use-offers.ts'
import { attempt } from '../../state/attempt.ts'
import { type Picker, setPicker } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { matchesWords } from '../../ui/matches-words.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { caretPlace } from './caret-place.ts'
import type { Asked } from './caret-query.ts'
import { attachResource, choosePrompt } from './choose-offer.ts'
import './composer.css'

/** Shown at once; typing on narrows the rest. */
const SHOWN = 50
const NAME = 120
const ABOUT = 200

/** Takes a key of the field; whether it was for the list. */
export type CaretKeys = (event: KeyboardEvent) => boolean

export interface CaretListProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly asked: Asked
  readonly query: string
  readonly picker: Picker
  readonly keys: RefObject<CaretKeys | undefined>
  /** The list and its option that the field stands on. */
  readonly onActive: (list: string, option: string | undefined) => void
  readonly onClose: () => void
}

interface Choice {
  readonly key: string
  readonly title: string
  readonly about: string
  readonly serverName: string
  readonly choose: () => void
}

/** What servers offer for the character at the caret. The field keeps the focus; keys come from it. */
export function CaretList(props: CaretListProps) {
  return props.asked.char === '/' ? <Prompts {...props} /> : <Resources {...props} />
}

function Prompts(props: CaretListProps) {
  const { picker, query } = props
  const { offers, loading } = useOffers(useReadyServers(), 'catalog.prompts')
  const choices = useMemo(() => {
    const found = offers.filter(({ server, item }) => matchesWords([item.name, item.title, server.name].join('\n'), query))
    return nearestFirst(found, query, ({ item }) => [item.name, item.title]).map(
      (offer): Choice => ({
        key: `${offer.server.id}\n${offer.item.name}`,
        title: offer.item.title || offer.item.name,
        about: offer.item.description ?? '',
        serverName: offer.server.name,
        choose: () => void attempt(choosePrompt(picker, offer)),
      }),
    )
  }, [offers, query, picker])
  return <Choices {...props} noun="prompt" choices={choices} loading={loading} />
}

function Resources(props: CaretListProps) {
  const { picker, query } = props
  const { offers, loading } = useOffers(useReadyServers(), 'catalog.resources')
  const entries = useMemo(() => ranked(resourceEntries(offers).filter(({ invalid }) => !invalid)), [offers])
  const choices = useMemo(() => {
    const found = entries.filter((entry) => passes(entry, { ...EVERYTHING, search: query }))
    return nearestFirst(found, query, ({ resource }) => [resource.name, resource.title]).map(
      ({ key, server, resource }): Choice => ({
        key,
        title: resource.title ?? resource.name,
        about: resource.uri,
        serverName: server.name,
        choose: () => void attempt(attachResource(picker, chosenOf(server, resource))),
      }),
    )
  }, [entries, query, picker])
  return <Choices {...props} noun="resource" choices={choices} loading={loading} />
}

/** What begins with the search before what only holds it. */
function nearestFirst<T>(found: readonly T[], query: string, names: (one: T) => readonly (string | undefined)[]): readonly T[] {
  const begins = (one: T) => names(one).some((name) => name?.toLowerCase().startsWith(query.toLowerCase()))
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, SHOWN)
}

interface ChoicesProps extends CaretListProps {
  readonly noun: 'prompt' | 'resource'
  readonly choices: readonly Choice[]
  readonly loading: boolean
}

function Choices({ field, asked, query, picker, keys, onActive, onClose, noun, choices, loading }: ChoicesProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [moved, setMoved] = useState<{ readonly query: string; readonly at: number }>()
  const browse: Choice = {
    key: 'browse',
    title: `Browse all ${noun}s…`,
    about: '',
    serverName: '',
    choose: () => setPicker(picker),
  }
  const all = [...choices, browse]
  const first = choices.length > 0 ? 0 : -1
  const at = moved?.query === query && moved.at < all.length ? moved.at : first
  const active = at >= 0 ? `${id}-${at}` : undefined
  const list = `${id}-list`

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every letter the field may break its lines anew
  useLayoutEffect(() => {
    const shown = box.current
    if (!shown || !field.current) return
    const { left, top } = caretPlace(field.current, asked.at)
    shown.style.left = `${Math.max(8, Math.min(left, innerWidth - Math.min(440, innerWidth - 16) - 8))}px`
    shown.style.bottom = `${innerHeight - top + 4}px`
    shown.style.maxHeight = `${Math.max(120, Math.min(320, top - 16))}px`
    if (!shown.matches(':popover-open')) shown.showPopover()
  }, [query, asked])
  const nothing = choices.length === 0 && !loading
  // Words that nothing is called by are words of the message.
  useEffect(() => {
    if (nothing && /\s/.test(query)) onClose()
  }, [nothing, query, onClose])
  useEffect(() => onActive(list, active), [list, active, onActive])
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const choose = (choice: Choice) => {
    onClose()
    choice.choose()
  }
  keys.current = (event) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1
        setMoved({ query, at: (at + step + all.length) % all.length })
        return true
      }
      case 'Enter':
      case 'Tab': {
        const choice = all[at]
        if (choice && !event.shiftKey) choose(choice)
        // What is typed may be about to be found: it is not sent as it stands.
        return choice ? !event.shiftKey : loading && event.key === 'Enter'
      }
      case 'Escape':
        onClose()
        return true
      default:
        return false
    }
  }
  useEffect(
    () => () => {
      keys.current = undefined
    },
    [keys],
  )
  return (
    <div ref={box} popover="manual" className="caret-list">
      <div className="unseen" role="status">
        {loading ? '' : counted(choices.length, noun)}
      </div>
      <div role="listbox" id={list} aria-label={noun === 'prompt' ? 'Prompts' : 'Resources'}>
        {all.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={choice === browse ? 'caret-choice caret-choice-browse' : 'caret-choice'}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            <span className="caret-choice-name one-line">
              <VisibleText text={choice.title.slice(0, NAME)} />
            </span>
            {choice.serverName === '' ? null : (
              <span className="meta one-line caret-choice-server">
                <VisibleText text={choice.serverName.slice(0, NAME)} />
              </span>
            )}
            {choice.about === '' ? null : (
              <span className="meta one-line caret-choice-about">
                <VisibleText text={choice.about.slice(0, ABOUT)} />
              </span>
            )}
          </div>
        ))}
      </div>
      {choices.length === 0 ? (
        <p className="meta caret-none">{loading ? 'Loading…' : query === '' ? `No ${noun}s now` : 'No match'}</p>
      ) : null}
    </div>
  )
}
