import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { type OpenedApp, viewOrigin } from '../../src-shared/contract/apps.ts'
import { type Blocked, countBlocked } from '../../src-shared/contract/blocked.ts'
import type { ToolCall } from '../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { failureText } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { isAppAsked } from '../state/selectors.ts'
import { useAppTopic } from '../state/use-topic.ts'
import { announce, askToOpenLink, setDraft, useView } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { Granted } from '../ui/grants/use-grant.ts'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { type AppParts, AppSession, type DisplayMode } from './app-session.ts'
import { appVariables, useThemeNow } from './app-theme.ts'
import './apps.css'
import { BlockedList, ListLine } from './BlockedList.tsx'
import { FrameTree, hasFocus } from './FrameTree.tsx'
import { watchHidden } from './hidden-pause.ts'
import { runView } from './run-view.ts'
import { useFocusGuard } from './use-focus-guard.ts'

/** The page's start. Views of calls that ended before it open by a click, so that scrolling back runs no programs. */
const STARTED_AT = performance.timeOrigin

export interface AppViewProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
}

type Stage =
  | { readonly is: 'closed'; readonly why?: string }
  | { readonly is: 'opening' }
  | { readonly is: 'asks' }
  /** Until the page is shown again. */
  | { readonly is: 'hidden' }
  | { readonly is: 'open'; readonly opened: OpenedApp }

/** Safari does not find names below localhost, and gives no frame a process of its own anyway. */
const FINDS_NAMES = navigator.vendor !== 'Apple Computer, Inc.'
const FRAME_STYLE = { display: 'block', width: '100%', border: 0, background: 'var(--ground)' }

const MODE_CLASS: Readonly<Record<DisplayMode, string>> = {
  inline: 'app-view',
  fullscreen: 'app-view app-view-apart app-view-full',
  pip: 'app-view app-view-apart app-view-pip',
}

const SERVER = { away: 'Its server is not connected.', another: 'Its server was replaced.' }

/** The view of a finished call: a program of its server in a frame that it cannot leave or paint over (APP-29). */
export function AppView({ conversationId, call }: AppViewProps) {
  const fresh = (call.finishedAt ?? 0) >= STARTED_AT
  const [stage, setStage] = useState<Stage>({ is: 'closed' })
  /** Those that it declared, once they are known. */
  const [hosts, setHosts] = useState<readonly string[]>([])
  const [mode, setMode] = useState<DisplayMode>('inline')
  const name = visibleText(call.serverName ?? '')
  const open = useCallback(
    async (network?: boolean) => {
      setStage({ is: 'opening' })
      setByHost([])
      setByPage([])
      try {
        const opened = await ask('app.open', {
          id: conversationId,
          toolCallId: call.id,
          ...(network !== undefined && { network }),
        })
        setHosts(opened.hosts)
        setStage(opened.is === 'asks' ? { is: 'asks' } : { is: 'open', opened })
      } catch (error) {
        setStage({ is: 'closed', why: failureText(error) })
      }
    },
    [conversationId, call.id],
  )
  useEffect(() => {
    if (fresh) void open()
  }, [fresh, open])
  const isOpen = stage.is === 'open' || stage.is === 'hidden'
  useEffect(() => {
    if (!isOpen) return
    return watchHidden(
      document,
      systemClock,
      () => setStage({ is: 'hidden' }),
      () => void open(),
    )
  }, [isOpen, open])
  const close = useCallback((why?: string) => {
    setMode('inline')
    setStage({ is: 'closed', ...(why !== undefined && { why }) })
    if (why !== undefined) announce(why)
  }, [])
  /** Kept by its topic as long as it is open, and here until it is opened again. */
  const [byHost, setByHost] = useState<readonly Blocked[]>([])
  const [byPage, setByPage] = useState<readonly Blocked[]>([])
  const topic = useAppTopic(stage.is === 'open' ? stage.opened.view : undefined)
  useEffect(() => {
    if (topic) setByHost(topic.blocked)
  }, [topic])
  const onBlocked = useCallback(
    (what: Blocked['what'], name: string, times?: number) => setByPage((list) => countBlocked(list, { what, name }, times)),
    [],
  )
  const section = useRef<HTMLElement>(null)
  const sizeButton = useRef<HTMLButtonElement>(null)
  /** Focuses the button that leads back, since the pressed button may be gone. */
  const enlarge = (wanted: DisplayMode) => {
    setMode(wanted)
    sizeButton.current?.focus()
  }
  // In the top layer, since a message contains what is fixed in it; the frame stays where it is, or it would load again.
  useLayoutEffect(() => {
    if (mode !== 'inline') section.current?.showPopover()
  }, [mode])
  if (call.app?.is !== 'kept') return null
  return (
    <section
      ref={section}
      popover={mode === 'inline' ? undefined : 'manual'}
      className={MODE_CLASS[mode]}
      aria-label={`View of ${name}: ${visibleText(call.tool)}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setMode('inline')
      }}
    >
      <div className="app-view-head row small">
        <span className="chip">App</span>
        <VisibleText as="span" className="grow" text={call.serverName ?? ''} />
        {stage.is === 'open' && stage.opened.server !== 'connected' ? (
          <span className="meta">{SERVER[stage.opened.server]}</span>
        ) : null}
        {call.app.changed ? <span className="chip chip-wait">Its page has changed</span> : null}
        {hosts.length > 0 && (stage.is === 'open' || stage.is === 'closed') ? (
          <Button size="small" variant="quiet" onClick={() => setStage({ is: 'asks' })}>
            Network …
          </Button>
        ) : null}
        {stage.is === 'open' ? (
          <>
            {mode === 'inline' ? (
              <Button size="small" variant="quiet" onClick={() => enlarge('pip')}>
                Pin
              </Button>
            ) : null}
            <Button
              ref={sizeButton}
              size="small"
              variant="quiet"
              onClick={() => enlarge(mode === 'inline' ? 'fullscreen' : 'inline')}
            >
              {mode === 'inline' ? 'Larger' : 'Back to the conversation'}
            </Button>
            <Button size="small" variant="quiet" onClick={() => close()}>
              Stop
            </Button>
          </>
        ) : null}
        {stage.is === 'closed' ? (
          <Button size="small" onClick={() => void open()}>
            {fresh || stage.why !== undefined ? 'Open again' : 'Open the view'}
          </Button>
        ) : null}
      </div>
      {stage.is === 'closed' && stage.why !== undefined ? <ProblemCard level="warning" problem={stage.why} /> : null}
      {stage.is === 'asks' ? <NetworkQuestion name={name} hosts={hosts} onAnswer={(may) => void open(may)} /> : null}
      {stage.is === 'open' ? (
        <LiveView
          key={stage.opened.view}
          opened={stage.opened}
          title={`${name}: ${visibleText(call.tool)}`}
          conversationId={conversationId}
          call={call}
          mode={mode}
          setMode={setMode}
          onBlocked={onBlocked}
          onEnd={close}
        />
      ) : null}
      {stage.is === 'open' || stage.is === 'closed' ? (
        <BlockedList refused={call.app.refused ?? []} blocked={[...byHost, ...byPage]} />
      ) : null}
    </section>
  )
}

interface NetworkQuestionProps {
  readonly name: string
  readonly hosts: readonly string[]
  readonly onAnswer: (may: boolean) => void
}

/** The question before a view loads from elsewhere, where it can also send data (APP-24). */
function NetworkQuestion({ name, hosts, onAnswer }: NetworkQuestionProps) {
  const shell = useHost((mirror) => mirror.host.shell)
  return (
    <div className="app-view-asks column">
      <p>
        This view wants to load from <strong>{hosts.map((host) => visibleText(host)).join(', ')}</strong>. What {name} gave it can
        be sent there.
      </p>
      {shell === 'web' ? <p className="meta">In a browser it can send by WebRTC even without network.</p> : null}
      <div className="row">
        <Button onClick={() => onAnswer(false)}>Without network</Button>
        <Granted value={hosts}>
          <GrantButton onGrant={() => onAnswer(true)}>Let it load</GrantButton>
        </Granted>
      </div>
    </div>
  )
}

interface LiveViewProps extends AppViewProps {
  readonly opened: OpenedApp
  readonly title: string
  readonly mode: DisplayMode
  readonly setMode: (mode: DisplayMode) => void
  readonly onBlocked: AppParts['onBlocked']
  /** With the reason, unless the person stopped it. */
  readonly onEnd: (why?: string) => void
}

function LiveView({ conversationId, call, opened, title, mode, setMode, onBlocked, onEnd }: LiveViewProps) {
  const [frame, setFrame] = useState<HTMLIFrameElement | null>(null)
  const [height, setHeight] = useState(200)
  const [started, setStarted] = useState(false)
  const [proposed, setProposed] = useState(false)
  const version = useHost((mirror) => mirror.host.version)
  const shell = useHost((mirror) => mirror.host.shell)
  const asked = useHost((mirror) => isAppAsked(mirror, conversationId, call.id))
  const theme = useThemeNow()
  const current = useRef<{ session?: AppSession; theme: typeof theme }>({ theme })
  current.current.theme = theme
  const guard = useFocusGuard(frame, onEnd)
  useEffect(() => {
    if (!frame) return
    const { view } = opened
    const ended = new AbortController()
    const acted = () => hasFocus(frame) && navigator.userActivation.isActive
    const context = () => ({
      theme: current.current.theme,
      variables: appVariables(),
      locale: navigator.language,
      width: frame.clientWidth,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      platform: shell === 'electron' ? ('desktop' as const) : ('web' as const),
    })
    const session = new AppSession({
      clock: systemClock,
      version,
      tool: opened.tool,
      arguments: opened.arguments,
      result: opened.result,
      hosts: opened.hosts,
      network: opened.network,
      context,
      acted,
      // An opaque origin cannot be addressed; the message goes to this frame alone.
      post: (message) => frame.contentWindow?.postMessage(message, '*'),
      call: (tool, args) => ask('app.call', { view, tool, arguments: args, acted: acted() }, ended.signal),
      tell: (text, structured) => ask('app.tell', { view, text, ...(structured && { structured }) }),
      read: (uri) => ask('app.read', { view, uri }, ended.signal),
      openLink: askToOpenLink,
      propose: (text) => {
        const { drafts } = useView.getState()
        const before = drafts[conversationId] ?? ''
        setDraft(conversationId, before === '' ? text : `${before}\n${text}`)
        setProposed(true)
        announce('The view wrote into your message. Nothing was sent.')
      },
      onHeight: setHeight,
      display: (wanted: DisplayMode) => {
        setMode(wanted)
        return wanted
      },
      onStarted: () => setStarted(true),
      onBlocked,
      fail: onEnd,
    })
    current.current.session = session
    const stop = runView(frame, session, onEnd)
    frame.src = shell === 'web' && FINDS_NAMES ? viewOrigin(view, location.origin) + opened.path : opened.path
    return () => {
      stop()
      session.end('closed')
      ended.abort()
      ask('app.close', { view }).catch(() => {}) // Gone with its window.
    }
  }, [frame, opened, conversationId, version, shell, onBlocked, onEnd, setMode])
  useEffect(() => {
    current.current.session?.contextChanged({ theme })
  }, [theme])
  useEffect(() => {
    current.current.session?.contextChanged({ displayMode: mode })
  }, [mode])
  return (
    <>
      <div className="app-view-stage">
        <FrameTree>
          <iframe
            ref={setFrame}
            style={{ ...FRAME_STYLE, ...(mode !== 'inline' && { height: '100%' }) }}
            sandbox="allow-scripts allow-forms"
            referrerPolicy="no-referrer"
            title={title}
            height={mode === 'inline' ? height : undefined}
            inert={asked}
          />
        </FrameTree>
        {guard.shielded ? <div className="app-view-shield" onPointerMove={guard.lift} onPointerDown={guard.lift} /> : null}
        {asked ? <div className="app-view-cover">Answer the question about this view first.</div> : null}
      </div>
      {started ? null : (
        <p className="meta" role="status">
          Starting the view …
        </p>
      )}
      {proposed ? <p className="meta">The view wrote into your message. Nothing was sent.</p> : null}
      {opened.network ? <ListLine summary={`Loads from ${addressesOf(opened.hosts)}`} as="code" items={opened.hosts} /> : null}
    </>
  )
}

function addressesOf(hosts: readonly string[]): string {
  return hosts.length === 1 ? visibleText(hosts[0] ?? '') : `${hosts.length} addresses`
}
