import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import { systemClock } from '../src-shared/base/clock.ts'
import type { ConversationId } from '../src-shared/contract/ids.ts'
import './app.css'
import { BlockedWindow } from './BlockedWindow.tsx'
import { ConversationView } from './conversation/ConversationView.tsx'
import { inboxWaits } from './inbox-waits.ts'
import { InteractionLayer, useQuestionAt } from './interactions/InteractionLayer.tsx'
import { Rail } from './Rail.tsx'
import { followShortcuts } from './shortcuts.ts'
import { useHost, useHostShallow } from './state/host-store.ts'
import { type Route, routeHash } from './state/route.ts'
import { conversationTitle, findHead, NEEDS_YOU, UNTITLED } from './state/selectors.ts'
import { setDrawer, setPalette, useView } from './state/view-store.ts'
import { Boundary } from './ui/Boundary.tsx'
import { IconButton } from './ui/Button.tsx'
import { refuseDrops } from './ui/DropTarget.tsx'
import { InboxIcon, MenuIcon } from './ui/icons.tsx'
import { loadLater, onDemand } from './ui/on-demand.tsx'
import { Skeleton } from './ui/Skeleton.tsx'
import { LiveRegion, StatusBars, UndoOffer } from './WindowMessages.tsx'

const loading = () => <Skeleton label="Loading" lines={6} />
const InboxView = onDemand(() => import('./interactions/InboxView.tsx').then((module) => module.InboxView), loading)
const ServersScreen = onDemand(() => import('./servers/ServersScreen.tsx').then((module) => module.ServersScreen), loading)
const ImportScreen = onDemand(() => import('./servers/imports/ImportScreen.tsx').then((module) => module.ImportScreen), loading)
const ProjectsScreen = onDemand(() => import('./projects/ProjectsScreen.tsx').then((module) => module.ProjectsScreen), loading)
const HelpScreen = onDemand(() => import('./help/HelpScreen.tsx').then((module) => module.HelpScreen), loading)
const SettingsView = onDemand(() => import('./settings/SettingsView.tsx').then((module) => module.SettingsView), loading)
const WelcomeView = onDemand(() => import('./welcome/WelcomeView.tsx').then((module) => module.WelcomeView), loading)
const SCREENS: Partial<Record<Route['section'], { preload(): Promise<void> }>> = {
  help: HelpScreen,
  import: ImportScreen,
  inbox: InboxView,
  projects: ProjectsScreen,
  servers: ServersScreen,
  settings: SettingsView,
}
const PickerLayer = lazy(() => import('./pickers/PickerLayer.tsx').then((module) => ({ default: module.PickerLayer })))
const ResourceViewer = lazy(() => import('./content/ResourceViewer.tsx').then((module) => ({ default: module.ResourceViewer })))
const LinkQuestion = onDemand(() => import('./LinkQuestion.tsx').then((module) => module.LinkQuestion))
const FindBar = onDemand(() => import('./find/FindBar.tsx').then((module) => module.FindBar))
const Palette = onDemand(
  () => import('./Palette.tsx').then((module) => module.Palette),
  ({ typed }) => <TypedMeanwhile typed={typed} />,
)

/** Replaces the rail in a narrow window. */
function NarrowBar() {
  const { count, words } = useHostShallow((mirror) => inboxWaits(mirror.host))
  return (
    <header className="app-narrow-bar">
      <IconButton label="Open the navigation" icon={<MenuIcon />} onClick={() => setDrawer(true)} />
      <span className="strong grow">Parley</span>
      {words ? (
        <a className="chip chip-wait row" href={routeHash({ section: 'inbox' })} aria-label={words}>
          <InboxIcon /> {count}
        </a>
      ) : null}
    </header>
  )
}

/** The frame of the window. */
export function App() {
  const link = useHost((mirror) => mirror.link)
  const known = useHost((mirror) => mirror.epoch !== '')
  useAppearance()
  useDocumentTitle()
  useEffect(() => followShortcuts(window), [])
  useEffect(() => refuseDrops(window), [])
  useEffect(() => showWholeTitles(document), [])
  const section = useView((view) => view.route.section)
  // While the host is being greeted, what will be shown can be on its way.
  useEffect(() => void SCREENS[section]?.preload(), [section])

  useEffect(() => (known ? loadLater(systemClock) : undefined), [known])

  if (link === 'no-session' || link === 'outdated') return <BlockedWindow link={link} />
  if (!known) {
    return (
      <main className="app-boot column-0">
        <Skeleton label={link === 'lost' ? 'Parley is not responding. Trying again' : 'Connecting'} lines={6} />
      </main>
    )
  }
  return (
    <>
      <InteractionLayer>
        <div className="app" data-link={link}>
          <Rail />
          <div className="app-column column-0 grow">
            <NarrowBar />
            <StatusBars />
            <FindBarWhenOpen />
            <Screen />
            <UndoOffer />
          </div>
        </div>
        <PaletteWhenOpen />
        <ContextDialogs />
      </InteractionLayer>
      <LiveRegion />
    </>
  )
}

function FindBarWhenOpen() {
  const open = useView((view) => view.finding > 0)
  return open ? <FindBar /> : null
}

function PaletteWhenOpen() {
  const open = useView((view) => view.palette)
  const typed = useRef('')
  if (!open) typed.current = ''
  return open ? <Palette showing={open} typed={typed} onClose={() => setPalette(undefined)} /> : null
}

/** Keeps what is typed until the palette is there to take it. Other keys do nothing, for they were meant for the palette. */
function TypedMeanwhile({ typed }: { readonly typed: RefObject<string> }) {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPalette(undefined)
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey) typed.current += event.key
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [typed])
  return null
}

/** Questions about links, pickers and viewers that lie over the present screen. */
function ContextDialogs() {
  const picking = useView((view) => view.picker !== undefined)
  const viewing = useView((view) => view.viewing !== undefined)
  const leaving = useView((view) => view.linkToOpen !== undefined)
  return (
    <Suspense>
      {leaving ? <LinkQuestion /> : null}
      {picking ? <PickerLayer /> : null}
      {viewing ? <ResourceViewer /> : null}
    </Suspense>
  )
}

function Screen() {
  const section = useView((view) => view.route.section)
  return (
    <main className={`app-main scrolls app-main-${section}`}>
      <Boundary key={section} what="This screen">
        <Section section={section} />
      </Boundary>
    </main>
  )
}

function Section({ section }: { readonly section: Route['section'] }) {
  switch (section) {
    case 'conversations':
      return <Conversation />
    case 'projects':
      return <ProjectsScreen />
    case 'servers':
      return <ServersScreen />
    case 'import':
      return <ImportScreen />
    case 'inbox':
      return <InboxView />
    case 'settings':
      return <SettingsView />
    case 'help':
      return <HelpScreen />
  }
}

/** `new`, and no id at all, stand for a conversation that is not there yet. */
function conversationOf(route: Route): ConversationId | undefined {
  if (route.section !== 'conversations' || route.id === undefined || route.id === 'new') return undefined
  // The host decides whether it exists; an unknown id comes back as gone.
  return route.id as ConversationId
}

function Conversation() {
  const route = useView((view) => view.route)
  const welcomed = useHost((mirror) => mirror.host.settings.welcomed)
  const question = useQuestionAt('inline')
  return (
    <ConversationView
      id={conversationOf(route)}
      question={question}
      {...(welcomed || route.id !== undefined ? {} : { welcome: <WelcomeView /> })}
    />
  )
}

function useAppearance(): void {
  const { theme, textSize } = useHost((mirror) => mirror.host.settings)
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    dataset.textSize = textSize
  }, [theme, textSize])
}

const SECTION_TITLES = {
  conversations: UNTITLED,
  projects: 'Projects',
  servers: 'Servers',
  import: 'Import servers',
  inbox: 'Inbox',
  settings: 'Settings',
  help: 'User guide',
} as const

function useDocumentTitle(): void {
  const route = useView((view) => view.route)
  const waiting = useHost((mirror) => mirror.host.interactions.length)
  const title = useHost((mirror) => {
    const head = findHead(mirror, conversationOf(route))
    if (head) return conversationTitle(head)
    const server = route.section === 'servers' && Object.values(mirror.host.servers).find((record) => record.id === route.id)
    if (server) return server.name
    const project = route.section === 'projects' && mirror.host.projects.find(({ id }) => id === route.id)
    return project ? project.name : SECTION_TITLES[route.section]
  })
  useEffect(() => {
    document.title = `${waiting > 0 ? `${NEEDS_YOU} (${waiting}) · ` : ''}${title} – Parley`
  }, [title, waiting])
}

/** Says on hover what does not fit into its line. Call once. Returns the undo. */
function showWholeTitles(page: Document): () => void {
  const show = ({ target }: Event) => {
    const line = target instanceof Element ? target.closest<HTMLElement>('.one-line') : null
    if (!line || (line.hasAttribute('title') && line.dataset.cut === undefined)) return
    if (line.scrollWidth > line.clientWidth) {
      line.title = line.textContent ?? ''
      line.dataset.cut = ''
    } else if (line.dataset.cut !== undefined) {
      line.removeAttribute('title')
      delete line.dataset.cut
    }
  }
  page.addEventListener('mouseover', show)
  return () => page.removeEventListener('mouseover', show)
}
