import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { isScattered, matchesWords } from '../../../src-shared/base/matches-words.ts'
import { removeTyped } from '../../offers/conversation-of.ts'
import { byPriority, chosenOf, EVERYTHING, passesResourceFilter, resourceEntries } from '../../offers/resource-entries.ts'
import { useOffers, useReadyServers } from '../../offers/use-offers.ts'
import { attempt } from '../../state/attempt.ts'
import { projectOfNew } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { type Picker, setPicker, setSkills, useView } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { type Choice, useCombobox } from '../../ui/lists/combobox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { attachPage } from '../attachments/attach-files.ts'
import { caretPlace } from './caret-place.ts'
import { type CaretQuery, isAddress, nearestFirst, SHOWN } from './caret-query.ts'
import { addFolder, attachConversation, attachNamedFile, attachNote, attachResource, choosePrompt } from './choose-offer.ts'
import './composer.css'

/** The most files shown while the search is empty. */
const FEW = 8
/** The most conversations, and notes, shown while the search is empty. */
const FEW_CONVERSATIONS = 3
const NAME = 120
const ABOUT = 200

/** Handles a key of the field; true if the list used it. */
export type CaretKeys = (event: KeyboardEvent) => boolean

interface CaretListProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly asked: CaretQuery
  readonly query: string
  readonly picker: Picker
  readonly keys: RefObject<CaretKeys | undefined>
  /** Called with the ids of the list and its active option. */
  readonly onActive: (list: string, option: string | undefined) => void
  readonly onClose: () => void
}

const NOTHING: readonly never[] = []
const browse = (what: 'prompts' | 'resources', picker: Picker) => link(`Browse all ${what} …`, () => setPicker(picker))

interface Offered extends Choice {
  readonly title: string
  readonly about?: string | undefined
  /** The server that offers it. */
  readonly from?: string
  /** Opens something else instead of attaching an offer. */
  readonly isLink?: true
}

/** The servers' offers for the character at the caret. The field keeps the focus and passes its keys on. */
export function CaretList(props: CaretListProps) {
  if (props.asked.char === '/') return <Prompts {...props} />
  return isAddress(props.query) ? <Page {...props} /> : <FilesAndResources {...props} />
}

/** The one page whose address is typed. Nothing is asked for until it is chosen. */
function Page(props: CaretListProps) {
  const { picker, query } = props
  const choices = useMemo(() => {
    const host = URL.parse(query)?.host
    const choose = () => {
      const { conversation = 'new', model } = removeTyped(picker)
      attachPage(conversation, model, query)
    }
    return host ? [{ key: 'page', title: `Read this page: ${host}`, about: query, choose }] : NOTHING
  }, [query, picker])
  return <Choices {...props} label="Web page" words={counted(choices.length, 'page')} none="" choices={choices} loading={false} />
}

function Prompts(props: CaretListProps) {
  const { picker, query } = props
  const { offers, loading } = useOffers(useReadyServers(), 'catalog.prompts')
  const { value } = useRequest('skill.list', {})
  const skills = useMemo(() => {
    const found = value?.skills.filter((one) => matchesWords(`Use skill ${one.name}\n${one.serverName ?? ''}`, query)) ?? []
    return found.slice(0, SHOWN).map(
      (head): Offered => ({
        key: `skill\n${head.ref.serverId ?? ''}\n${head.ref.uri}`,
        title: `Use skill ${head.name}`,
        about: head.description,
        from: head.serverName ?? 'yours',
        choose: () => {
          removeTyped(picker)
          setSkills({ chosen: head })
        },
      }),
    )
  }, [value, query, picker])
  const choices = useMemo(() => {
    const found = offers.filter(({ server, item }) => matchesWords([item.name, item.title, server.name].join('\n'), query))
    return nearestFirst(found, query, ({ item }) => [item.name, item.title]).map(
      (offer): Offered => ({
        key: `${offer.server.id}\n${offer.item.name}`,
        title: offer.item.title || offer.item.name,
        about: offer.item.description,
        from: offer.server.name,
        choose: () => void attempt(choosePrompt(picker, offer)),
      }),
    )
  }, [offers, query, picker])
  return (
    <Choices
      {...props}
      label="Prompts"
      words={[counted(choices.length, 'prompt'), ...(skills.length > 0 ? [counted(skills.length, 'skill')] : [])].join(', ')}
      none="No prompts"
      choices={[...choices, ...skills]}
      loading={loading}
      more={offers.length > 0 ? [browse('prompts', picker)] : NOTHING}
    />
  )
}

function FilesAndResources(props: CaretListProps) {
  const { picker, query } = props
  const project = useView((view) => projectOfNew(view.route))
  const place = picker.conversation ? { id: picker.conversation } : { ...(project && { project }) }
  const named = useRequest('place.files', { ...place, query })
  const servers = useReadyServers()
  const { offers, loading } = useOffers(servers, 'catalog.resources')
  const entries = useMemo(() => byPriority(resourceEntries(offers).filter(({ invalid }) => !invalid)), [offers])
  const files = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/)
    // Until the answer for the new letter arrives, the previous one is filtered by it.
    const found = named.value?.files.filter(({ path }) => words.every((word) => isScattered(path.toLowerCase(), word)))
    return (found ?? []).slice(0, query === '' ? FEW : undefined).map(
      ({ path, within }): Offered => ({
        key: `file\n${path}`,
        title: path.split(/[/\\]/).at(-1) ?? path,
        about: within,
        choose: () => void attempt(attachNamedFile(picker, path)),
      }),
    )
  }, [named.value, query, picker])
  const resources = useMemo(() => {
    const found = entries.filter((entry) => passesResourceFilter(entry, { ...EVERYTHING, search: query }))
    return nearestFirst(found, query, ({ resource }) => [resource.name, resource.title]).map(
      ({ key, server, resource }): Offered => ({
        key,
        title: resource.title ?? resource.name,
        about: resource.uri,
        from: server.name,
        choose: () => void attempt(attachResource(picker, chosenOf(server, resource))),
      }),
    )
  }, [entries, query, picker])
  const heads = useHost((mirror) => mirror.host.conversations)
  const conversations = useMemo(() => {
    const others = heads.filter(({ id, title }) => id !== picker.conversation && title !== '')
    const found = nearestFirst(
      others.filter(({ title }) => matchesWords(title, query)),
      query,
      ({ title }) => [title],
    )
    return found.slice(0, query === '' ? FEW_CONVERSATIONS : undefined).map(
      ({ id, title }): Offered => ({
        key: `conversation\n${id}`,
        title,
        from: 'conversation',
        choose: () => void attempt(attachConversation(picker, id)),
      }),
    )
  }, [heads, query, picker])
  const kept = useHost(({ host }) => host.notes)
  const notes = useMemo(() => {
    const found = nearestFirst(
      kept.filter(({ title }) => matchesWords(title, query)),
      query,
      ({ title }) => [title],
    )
    return found.slice(0, query === '' ? FEW_CONVERSATIONS : undefined).map(
      ({ id, title }): Offered => ({
        key: `note\n${id}`,
        title,
        from: 'note',
        choose: () => void attempt(attachNote(picker, id)),
      }),
    )
  }, [kept, query, picker])
  const noFolders = named.value?.folders === 0
  const more = [
    ...(noFolders ? [link('Add a folder …', () => void attempt(addFolder(picker)), 'Its files will appear here.')] : []),
    ...(servers.some(({ catalog }) => catalog.resources + catalog.templates > 0) ? [browse('resources', picker)] : []),
  ]
  return (
    <Choices
      {...props}
      label="Files, resources, notes and conversations"
      words={[
        counted(files.length, 'file'),
        counted(resources.length, 'resource'),
        ...(notes.length > 0 ? [counted(notes.length, 'note')] : []),
        ...(conversations.length > 0 ? [counted(conversations.length, 'conversation')] : []),
      ].join(', ')}
      none={noFolders ? 'Nothing to attach yet' : 'No files or resources'}
      choices={nearestFirst([...files, ...resources, ...notes, ...conversations], query, ({ title }) => [title])}
      loading={loading || (named.value === undefined && named.problem === undefined)}
      more={more}
      note={named.problem ?? (named.value?.cut ? 'There are too many files to search them all.' : undefined)}
    />
  )
}

interface ChoicesProps extends CaretListProps {
  readonly label: string
  /** The counts, for screen readers. */
  readonly words: string
  /** Shown when there is nothing to search in. */
  readonly none: string
  readonly choices: readonly Offered[]
  readonly loading: boolean
  /** Listed below the search results. */
  readonly more?: readonly Offered[]
  readonly note?: string | undefined
}

const link = (title: string, choose: () => void, about?: string): Offered => ({ key: title, title, choose, about, isLink: true })

function Choices(props: ChoicesProps) {
  const { field, asked, query, keys, onActive, onClose } = props
  const { label, words, none, choices, loading, more = NOTHING, note } = props
  const box = useRef<HTMLDivElement>(null)
  const offers = useCombobox<Offered>({
    label,
    choices: [...choices, ...more].map((one) => ({
      ...one,
      choose: () => {
        onClose()
        one.choose()
      },
    })),
    query,
    start: choices.length > 0 ? 0 : -1,
    render: (offered) => <OfferedLine {...offered} />,
    classOf: ({ isLink }) => (isLink ? 'caret-choice soft' : 'caret-choice'),
    onClose,
    tab: 'chooses',
    // Results may be about to arrive, so Enter does not send the message.
    keepsEnter: loading,
  })
  const { 'aria-controls': list, 'aria-activedescendant': active } = offers.ariaLinks

  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter may change the line breaks of the field
  useLayoutEffect(() => {
    const shown = box.current
    if (!shown) return
    const put = () => {
      if (!field.current) return
      const { left, top } = caretPlace(field.current, asked.at)
      shown.style.left = `${Math.max(8, Math.min(left, innerWidth - Math.min(440, innerWidth - 16) - 8))}px`
      shown.style.bottom = `${innerHeight - top + 4}px`
      shown.style.maxHeight = `${Math.max(120, Math.min(320, top - 16))}px`
    }
    put()
    if (!shown.matches(':popover-open')) shown.showPopover()
    addEventListener('resize', put)
    return () => removeEventListener('resize', put)
  }, [query, asked])
  const nothing = choices.length === 0 && !loading
  // Several words without a match belong to the message.
  useEffect(() => {
    if (nothing && /\s/.test(query)) onClose()
  }, [nothing, query, onClose])
  useEffect(() => onActive(list, active), [list, active, onActive])
  keys.current = offers.onKeyDown
  useEffect(
    () => () => {
      keys.current = undefined
    },
    [keys],
  )
  return (
    <div ref={box} popover="manual" className="ui-popover caret-list">
      <div className="unseen" role="status">
        {loading ? '' : words}
      </div>
      {offers.list()}
      {choices.length === 0 ? (
        <p className="meta caret-none">{loading ? 'Loading …' : query === '' ? none : 'No match'}</p>
      ) : null}
      {note === undefined ? null : <VisibleText as="p" className="meta caret-none" text={note} />}
    </div>
  )
}

function OfferedLine({ title, from, about }: Offered) {
  return (
    <>
      <VisibleText as="span" className="one-line" text={title.slice(0, NAME)} />
      {from ? <VisibleText as="span" className="meta one-line caret-choice-server" text={from.slice(0, NAME)} /> : null}
      {about ? <VisibleText as="span" className="meta one-line caret-choice-about" text={about.slice(0, ABOUT)} /> : null}
    </>
  )
}
