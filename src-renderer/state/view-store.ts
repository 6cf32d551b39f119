import { create } from 'zustand'
import { systemClock } from '../../src-shared/base/clock.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { type WebAddress, webAddress } from '../../src-shared/base/web-address.ts'
import type { Confirm, ResourceItem } from '../../src-shared/contract/attachments.ts'
import type { ConversationId, InteractionId, MessageId, ProjectId, ServerId, TurnId } from '../../src-shared/contract/ids.ts'
import type { ImportSource } from '../../src-shared/contract/imports.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { EFFORTS, type ModelRef } from '../../src-shared/contract/settings.ts'
import type { SkillHead } from '../../src-shared/contract/skills.ts'
import type { Annotations } from '../../src-shared/mcp/content.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { HOME, parseRoute, type Route, routeHash } from './route.ts'

/** An action that was just done and can be undone. */
interface Undoable {
  readonly text: string
  /** The label of the button; "Undo" unless set. */
  readonly label?: string
  readonly undo: () => void
}

/** A chosen resource that the person reviews before it is attached. */
export interface ChosenResource {
  readonly serverId: ServerId
  readonly serverName: string
  readonly uri: string
  readonly title: string
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly size?: number | undefined
  readonly annotations?: Annotations | undefined
}

/** A dialog to choose context from, opened from a composer. */
export interface Picker {
  readonly kind: 'resources' | 'prompts'
  /** Undefined before the first message: choosing something creates the conversation, with this model. */
  readonly conversation: ConversationId | undefined
  readonly model: ModelRef
  /** The typed text and its position in the draft; removed from the message when something is chosen. */
  readonly typed?: { readonly text: string; readonly at: number }
  /** A chosen prompt whose arguments are still to be filled in. */
  readonly prompt?: { readonly server: ServerRecord; readonly item: Prompt }
  /** A chosen resource that is attached once the person confirms. */
  readonly resource?: { readonly chosen: ChosenResource; readonly confirm: Confirm }
}

/** The content of the viewer: a resource, read when the viewer opens, or items that came with a result. */
export type Viewing =
  | { readonly is: 'resource'; readonly serverId: ServerId; readonly uri: string; readonly title: string }
  | {
      readonly is: 'items'
      readonly title: string
      readonly items: readonly ResourceItem[]
      /** A file of the person rather than a resource of a server. */
      readonly own?: true
    }

export interface SearchTarget {
  readonly conversation: ConversationId
  readonly message: MessageId
  /** Words to mark in the message. */
  readonly words?: readonly string[]
}

/** State of this window alone. State that a second window would need belongs to the host. */
export interface View {
  readonly route: Route
  /** Unsent text per conversation; `new` before there is one. */
  readonly drafts: Readonly<Record<ConversationId | 'new', string>>
  /** The model chosen for the new conversation; the default one when absent. Its provider may be gone. */
  readonly modelOfNew: ModelRef | undefined
  /** Counts requests for a new conversation: each moves the focus to its message field. */
  readonly begun: number
  /** The messages that are edited, with the text once it was changed. */
  readonly edits: Readonly<Record<MessageId, string | undefined>>
  /** The conversation whose title is edited above its messages. */
  readonly renaming: ConversationId | undefined
  /** The message to scroll to once its conversation is on screen. */
  readonly searchTarget: SearchTarget | undefined
  /** Questions dismissed in this window; they stay in the Inbox. */
  readonly setAside: ReadonlySet<InteractionId>
  /** Lines of tool calls that a person opened or closed, by id, so that they stay so when their message is rendered again. */
  readonly opened: Readonly<Record<string, boolean>>
  readonly openQuestion: InteractionId | undefined
  /** The turn below which each server's wish for folders stands; it is said in one place alone. */
  readonly foldersOffered: Readonly<Record<ServerId, TurnId>>
  readonly drawer: boolean
  readonly conversationQuery: string
  readonly settingsQuery: string
  /** Projects whose conversations are unfolded in the list. */
  readonly openProjects: ReadonlySet<ProjectId>
  /** The palette that is open: its commands, or the sheet of keys. */
  readonly palette: 'commands' | 'keys' | undefined
  readonly picker: Picker | undefined
  /** The conversation whose folders its composer is choosing. */
  readonly placing: ConversationId | undefined
  /** The skills of the composer are open, at one of them if it was chosen. */
  readonly skills: { readonly chosen?: SkillHead } | undefined
  readonly viewing: Viewing | undefined
  /** The source that the Import screen reviews; undefined: the configurations of other apps on this computer. */
  readonly importing: ImportSource | undefined
  /** Configurations that arrived while another was reviewed, oldest first. */
  readonly importsWaiting: readonly ImportSource[]
  /** The address that is opened outside once the person confirms. */
  readonly linkToOpen: WebAddress | undefined
  /** Files dropped or opened where no message takes them; the next message does. */
  readonly handed: readonly File[]
  /** Counts the openings of the search on the screen; 0 is closed. */
  readonly finding: number
  readonly undoable: Undoable | undefined
  readonly failure: string | undefined
  readonly announcement: string
}

const DRAFTS_KEY = 'parley-drafts'
const MODEL_KEY = 'parley-model'

/** The entries that were kept over a reload; none when they cannot be read. */
function saved(key: string): readonly (readonly [string, unknown])[] {
  try {
    const value: unknown = parseJson(globalThis.sessionStorage?.getItem(key) ?? 'null')
    return typeof value === 'object' && value !== null ? Object.entries(value) : []
  } catch {
    return []
  }
}

function savedDrafts(): View['drafts'] {
  const texts = saved(DRAFTS_KEY).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { new: '', ...Object.fromEntries(texts) }
}

function savedModel(): View['modelOfNew'] {
  const { provider, model, effort, ...others } = Object.fromEntries(saved(MODEL_KEY))
  if (typeof provider !== 'string' || typeof model !== 'string' || Object.keys(others).length > 0) return undefined
  const known = EFFORTS.find((one) => one === effort)
  return { provider: provider as ModelRef['provider'], model, ...(known && { effort: known }) }
}

export const useView = create<View>(() => ({
  route: HOME,
  drafts: savedDrafts(),
  modelOfNew: savedModel(),
  begun: 0,
  edits: {},
  renaming: undefined,
  searchTarget: undefined,
  setAside: new Set(),
  opened: {},
  openQuestion: undefined,
  foldersOffered: {},
  drawer: false,
  conversationQuery: '',
  settingsQuery: '',
  openProjects: new Set(),
  palette: undefined,
  picker: undefined,
  placing: undefined,
  skills: undefined,
  viewing: undefined,
  importing: undefined,
  importsWaiting: [],
  linkToOpen: undefined,
  handed: [],
  finding: 0,
  undoable: undefined,
  failure: undefined,
  announcement: '',
}))

/** Keeps the route and the address in step, and what a reload would lose. Call it once, after the one-time token left the address. Returns the undo. */
export function followAddress(page: Window): () => void {
  const read = () => {
    const route = parseRoute(page.location.hash)
    if (route && routeHash(route) !== routeHash(useView.getState().route)) useView.setState(opened(route))
  }
  read()
  page.addEventListener('hashchange', read)
  const stop = useView.subscribe((view, before) => {
    if (view.drafts !== before.drafts) page.sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(view.drafts))
    if (view.modelOfNew !== before.modelOfNew) page.sessionStorage.setItem(MODEL_KEY, JSON.stringify(view.modelOfNew ?? null))
  })
  return () => {
    stop()
    page.removeEventListener('hashchange', read)
  }
}

/** The view of a screen that was just opened. A search for conversations ends at a project and at a new conversation. */
function opened(route: Route): Partial<View> {
  const leavesSearch = route.section === 'projects' ? route.id !== undefined : beginsConversation(route)
  return { route, drawer: false, renaming: undefined, ...(leavesSearch && { conversationQuery: '' }) }
}

const beginsConversation = ({ section, id }: Route) => section === 'conversations' && id === 'new'

/** Opens a screen, as a link with `href={routeHash(route)}` does. */
export function navigate(route: Route): void {
  useView.setState(({ begun }) => ({ ...opened(route), begun: beginsConversation(route) ? begun + 1 : begun }))
  const hash = routeHash(route)
  if (globalThis.location && globalThis.location.hash !== hash) globalThis.location.hash = hash
}

export function setDraft(id: ConversationId | 'new', text: string): void {
  useView.setState(({ drafts }) => {
    const { [id]: _before, ...others } = drafts
    // Drafts are kept only while they hold text, `new` always.
    return { drafts: (text === '' && id !== 'new' ? others : { ...others, [id]: text }) as View['drafts'] }
  })
}

/** Opens a message for editing, or changes the text of one that is open. */
export function editMessage(id: MessageId, text?: string): void {
  useView.setState(({ edits }) => ({ edits: { ...edits, [id]: text } }))
}

export function closeEdit(id: MessageId): void {
  useView.setState(({ edits: { [id]: _closed, ...others } }) => ({ edits: others as View['edits'] }))
}

const setter =
  <K extends keyof View>(key: K) =>
  (value: View[K]): void =>
    useView.setState({ [key]: value })

export const renameConversation = setter('renaming')
export const searchConversationsFor = setter('conversationQuery')
export const searchSettingsFor = setter('settingsQuery')
export const setDrawer = setter('drawer')
export const setPalette = setter('palette')
export const setPicker = setter('picker')
export const setPlacing = setter('placing')
export const setSkills = setter('skills')
/** Opens the viewer. That reads a resource, so only a click on something that says so may call it. */
export const setViewing = setter('viewing')
export const offerUndo = setter('undoable')

/** Scrolls to a message once its conversation is on screen. */
export function seek(searchTarget: View['searchTarget']): void {
  useView.setState({ searchTarget, drawer: false })
}

/** The first turn that asks has it. */
export function offerFolders(serverId: ServerId, turnId: TurnId): void {
  useView.setState(({ foldersOffered }) => ({ foldersOffered: { [serverId]: turnId, ...foldersOffered } }))
}

export function setAside(id: InteractionId): void {
  useView.setState(({ setAside, openQuestion }) => ({
    setAside: new Set([...setAside, id]),
    openQuestion: openQuestion === id ? undefined : openQuestion,
  }))
}

/** Shows a question, even a dismissed one, whatever is on screen. */
export function openQuestion(id: InteractionId): void {
  useView.setState(({ setAside }) => ({ setAside: new Set([...setAside].filter((aside) => aside !== id)), openQuestion: id }))
}

export function setOpened(lines: View['opened']): void {
  useView.setState(({ opened }) => ({ opened: { ...opened, ...lines } }))
}

export function setProjectOpen(id: ProjectId, open: boolean): void {
  useView.setState(({ openProjects }) => {
    const others = [...openProjects].filter((one) => one !== id)
    return { openProjects: new Set(open ? [...others, id] : others) }
  })
}

/** Asks before an address from a model or a server is opened outside. */
export function askToOpenLink(url: string | undefined): void {
  const linkToOpen = url === undefined ? undefined : webAddress(url)
  useView.setState({ linkToOpen })
  if (url !== undefined && !linkToOpen) showFailure('This link is not a web address.')
}

/** Reviews a configuration, or without one the configurations of other apps on this computer. */
export function openImport(importing?: ImportSource): void {
  useView.setState({ importing })
  navigate({ section: 'import' })
}

/** A page of links could add any number; nobody reviews more than this. */
const MAX_WAITING = 20

/** Reviews a configuration that arrived by a link or as a file, after those that are waiting. */
export function arriveImport(source: ImportSource): void {
  const { route, importsWaiting } = useView.getState()
  if (importsWaiting.length < MAX_WAITING) useView.setState({ importsWaiting: [...importsWaiting, source] })
  else showFailure('Too many imports are waiting.')
  if (route.section !== 'import') showNextImport()
}

/** Opens the configuration that waits longest. False when none waits. */
export function showNextImport(): boolean {
  const [next, ...importsWaiting] = useView.getState().importsWaiting
  if (!next) return false
  useView.setState({ importsWaiting })
  openImport(next)
  return true
}

/** Opens the search on the screen, or moves the focus back to it. */
export function openFind(): void {
  useView.setState(({ finding }) => ({ finding: finding + 1 }))
}

export function closeFind(): void {
  useView.setState({ finding: 0 })
}

const MAX_FAILURES = 20
const failures: { readonly at: number; readonly text: string }[] = []

/** The last failures of this window for a report, oldest first. */
export const recentFailures = (): readonly { readonly at: number; readonly text: string }[] => failures

export function showFailure(failure: string | undefined): void {
  if (failure !== undefined) {
    failures.push({ at: systemClock.now(), text: failure })
    if (failures.length > MAX_FAILURES) failures.shift()
  }
  useView.setState({ failure })
}

/** Announces a text to screen readers. They hear only changes, so a repeated text gets a space at its end. */
export function announce(words: string): void {
  useView.setState(({ announcement }) => ({ announcement: announcement === words ? `${words}\u00a0` : words }))
}
