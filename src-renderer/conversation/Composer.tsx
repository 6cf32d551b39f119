import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { ATTACHMENT_LIMIT, type Attachment } from '../../src-shared/contract/attachments.ts'
import type { ContextReport } from '../../src-shared/contract/context.ts'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import {
  DEMO_PROVIDER_ID,
  type ModelRef,
  NO_SWITCHES,
  type Settings,
  type ToolSwitches,
} from '../../src-shared/contract/settings.ts'
import { ModelSelect } from '../forms/models/ModelSelect.tsx'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask, changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { createConversation, editLastMessage, projectOfNew, send, takeQueued } from '../state/conversation-actions.ts'
import { useHost } from '../state/host-store.ts'
import { lacksKey } from '../state/models.ts'
import { routeHash } from '../state/route.ts'
import { useProject } from '../state/use-project.ts'
import { useConversation } from '../state/use-topic.ts'
import { editMessage, type Picker, setDraft, setPicker, setPlacing, setSkills, useView } from '../state/view-store.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { PromptIcon, SendIcon, StopIcon } from '../ui/icons.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { AttachMenu } from './attachments/AttachMenu.tsx'
import { AttachmentList } from './attachments/AttachmentList.tsx'
import { setSendsLater, useSendsLater, useUploadState } from './attachments/file-uploads.ts'
import { ContextMeter } from './ContextMeter.tsx'
import { EffortMenu } from './composer/EffortMenu.tsx'
import { flushDrafts, keepDrafts } from './composer/kept-drafts.ts'
import { ToolsButton } from './composer/ToolsButton.tsx'
import { useCaretList } from './composer/use-caret-list.tsx'
import { PlaceDialog } from './list/dialogs.ts'
import { useContextReport } from './use-context-report.ts'

const SkillsDialog = onDemand(() => import('../skills/SkillsDialog.tsx').then((module) => module.SkillsDialog))
const QueuedMessages = onDemand(() => import('./composer/QueuedMessages.tsx').then((module) => module.QueuedMessages))
const ContextWindowDialog = onDemand(() => import('./ContextWindow.tsx').then((module) => module.ContextWindowDialog))
const ComposerFiles = onDemand(() => import('./attachments/ComposerFiles.tsx').then((module) => module.ComposerFiles))

const KEYS: Readonly<Record<Settings['sendWith'], string>> = {
  enter: 'Enter sends, Shift+Enter starts a new line.',
  'ctrl-enter': 'Ctrl+Enter sends, Enter starts a new line.',
}

const WHILE_RUNNING: Readonly<Record<Settings['sendWith'], string>> = {
  enter: 'Enter sends it after this reply, Alt+Enter now.',
  'ctrl-enter': 'Ctrl+Enter sends it after this reply, Alt+Enter now.',
}

/** The reason why a message is not sent now, as the line below the buttons. */
function reasonToWait(live: boolean, sendLater: boolean): string | undefined {
  if (!live) return 'Parley is not connected. Your text is kept.'
  return sendLater ? 'Sends when the files have arrived. Esc cancels.' : undefined
}

interface ComposerProps {
  /** Undefined before the first message, which creates the conversation. */
  readonly head: ConversationHead | undefined
}

/** The form for the next message, which waits while a reply runs. */
export function Composer({ head }: ComposerProps) {
  const key = head?.id ?? 'new'
  const text = useView((view) => view.drafts[key] ?? '')
  const live = useHost((mirror) => mirror.link === 'live')
  const providers = useHost((mirror) => mirror.host.providers)
  const project = useView((view) => projectOfNew(view.route))
  const defaultOfAll = useHost(({ host }) => host.settings.defaultModel)
  const begins = useProject(project)
  const defaultModel = useHost(({ host }) => begins.head?.model ?? host.settings.defaultModel)
  const newSwitches = useHost(({ host }) => (begins.head ? begins.project?.switches : host.settings.newSwitches))
  const sendWith = useHost((mirror) => mirror.host.settings.sendWith)
  const begun = useView((view) => view.begun)
  const chosen = useView((view) => view.modelOfNew)
  const [sending, setSending] = useState(false)
  const [sizing, setSizing] = useState(false)
  const placing = useView((view) => view.placing)
  const skills = useView((view) => view.skills)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const topic = useConversation(head?.id)
  const open = topic === undefined || topic === 'gone' ? undefined : topic
  const waiting = open?.attachments ?? []
  const report = useContextReport(head, open)
  const uploads = useUploadState(key)
  const sendLater = useSendsLater(key)
  const keepSwitches = (wanted: ToolSwitches): Promise<unknown> => {
    if (head) return ask('conversation.setSwitches', { id: head.id, switches: wanted })
    if (begins.head) return begins.change({ switches: wanted })
    return changeSettings({ newSwitches: wanted })
  }
  const [switches, setSwitches] = useSavedChoice((head ? open?.switches : newSwitches) ?? NO_SWITCHES, (wanted) =>
    attempt(keepSwitches(wanted)),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation has its own draft
  useLayoutEffect(() => {
    field.current?.focus()
    // Writing continues at the end of the draft.
    field.current?.setSelectionRange(text.length, text.length)
  }, [key, begun])
  useEffect(
    () => () => {
      flushDrafts()
      editMessage(undefined)
      // The composer of a new conversation hands a waiting message to that of the created one.
      if (key !== 'new') setSendsLater(undefined)
    },
    [key],
  )
  useEffect(() => {
    if (live) void keepDrafts()
  }, [live])

  const model = head?.model ?? chosen ?? defaultModel
  const provider = providers.find((candidate) => candidate.id === model.provider)
  const running = head?.turn === 'running'
  const ofWhat = head ? 'this conversation' : begins.head ? 'this project' : 'new conversations'
  const reason = reasonToWait(live, sendLater)
  const ready = live && !sending
  const sendable = ready && (uploads === 'under-way' || text.trim() !== '' || waiting.length > 0)

  const queue = open?.queue
  const focusField = () => field.current?.focus()
  const submit = async (now = false) => {
    if (!sendable) return
    if (uploads === 'under-way') return setSendsLater(key)
    setSending(true)
    await attempt(head ? send(head.id, text, now && running) : sendFirst())
    setSending(false)
    // The clicked button is gone, so the focus is lost unless a question took it.
    if (document.activeElement === document.body) focusField()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends once, when the last file has arrived
  useEffect(() => {
    if (!sendLater || uploads === 'under-way') return
    setSendsLater(undefined)
    void submit()
  }, [sendLater, uploads])
  const sendFirst = async () => {
    const id = await createConversation(model)
    setDraft('new', '')
    useView.setState({ modelOfNew: undefined })
    await send(id, text)
  }
  const nameSkill = (name: string) => {
    setDraft(key, `Use the skill “${name}”. ${text}`)
    // The dialog puts the caret back to where it was, which is before the sentence.
    systemClock.after(0, () => {
      const end = field.current?.value.length ?? 0
      field.current?.setSelectionRange(end, end)
    })
  }
  const picker = (kind: Picker['kind'], typed?: Picker['typed']): Picker => ({
    kind,
    conversation: head?.id,
    model,
    ...(typed ? { typed } : {}),
  })
  const pick = (kind: Picker['kind']) => setPicker(picker(kind))
  const room = waiting.length < ATTACHMENT_LIMIT
  const caret = useCaretList({ field, text, prompts: live && !running, resources: live && room, pick: picker })
  const onKeyDown = (event: KeyboardEvent) => {
    if (caret.onKeyDown(event)) return
    if (event.key === 'Escape' && sendLater) {
      event.preventDefault()
      setSendsLater(undefined)
      return
    }
    if (event.key === 'ArrowUp' && text === '' && open) {
      const last = queue?.at(-1)
      if (last && head) void attempt(takeQueued(head.id, last.id))
      if (last || (!running && editLastMessage(open.messages))) event.preventDefault()
      return
    }
    const withCtrl = event.ctrlKey || event.metaKey
    const now = event.altKey && running
    if (event.key !== 'Enter' || event.shiftKey || (sendWith === 'ctrl-enter' && !withCtrl && !now)) return
    event.preventDefault()
    void submit(now)
  }
  const choose = (wanted: ModelRef) => {
    if (defaultOfAll.provider === DEMO_PROVIDER_ID && wanted.provider !== DEMO_PROVIDER_ID) beginWith(wanted)
    if (head) void attempt(ask('conversation.setModel', { id: head.id, model: wanted }))
    else useView.setState({ modelOfNew: wanted })
  }
  return (
    <>
      <form
        className="composer"
        aria-label="Write"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {head && open && queue ? (
          <QueuedMessages id={head.id} topic={open} queue={queue} running={running} live={live} onTaken={focusField} />
        ) : null}
        <label className="unseen" htmlFor={`${hint}-field`}>
          Message
        </label>
        <textarea
          ref={field}
          id={`${hint}-field`}
          className="composer-text"
          rows={1}
          dir="auto"
          placeholder="Write to the model"
          aria-describedby={hint}
          value={text}
          aria-autocomplete="list"
          {...caret.field}
          onChange={(event) => {
            setDraft(key, event.currentTarget.value)
            caret.typed(event.currentTarget, letterOf(event.nativeEvent))
          }}
          onSelect={(event) => caret.moved(event.currentTarget.selectionStart)}
          onBlur={caret.close}
          onKeyDown={onKeyDown}
        />
        {caret.list}
        {head ? <AttachmentList conversationId={head.id} attachments={withCosts(waiting, report)} waiting /> : null}
        <ComposerFiles place={key} model={model} waiting={waiting} costs={report?.attachments} live={live} />
        <div className="composer-foot line">
          <AttachMenu {...{ place: key, model, waiting }} disabled={!live} onResources={() => pick('resources')} />
          <IconButton label="Prompts" icon={<PromptIcon />} disabled={!live || running} onClick={() => pick('prompts')} />
          <div className="composer-model">
            <ModelSelect label="Model" hideLabel value={model} disabled={!live || running} onChange={choose} />
          </div>
          <EffortMenu model={model} disabled={!live || running} onChange={choose} />
          <ToolsButton
            model={model}
            project={head?.project}
            switches={switches}
            ofWhat={ofWhat}
            disabled={!live || (head ? !open : begins.head !== undefined && !begins.project)}
            onChange={setSwitches}
          />
          {head && open && report ? (
            <ContextMeter id={head.id} topic={open} report={report} onSetWindow={() => setSizing(true)} />
          ) : null}
          <div className="composer-send line">
            {running ? (
              <Button disabled={!live} onClick={() => head && void attempt(ask('turn.cancel', { id: head.id }))}>
                <StopIcon /> Stop
              </Button>
            ) : null}
            {running && sendable ? <Button onClick={() => void submit(true)}>Send now</Button> : null}
            {running && !sendable ? null : (
              <Button variant="primary" type="submit" disabled={!sendable}>
                <SendIcon /> {running ? 'Send next' : 'Send'}
              </Button>
            )}
          </div>
        </div>
        <p className={reason ? 'meta composer-key' : 'unseen'} id={hint} role="status">
          {reason ?? (running ? WHILE_RUNNING : KEYS)[sendWith]}
        </p>
        {provider && lacksKey(provider) ? (
          <p className="meta composer-key">
            {provider.name} has no key here yet.{' '}
            <a href={routeHash({ section: 'settings', id: 'models' })}>Add it in the settings</a>
          </p>
        ) : null}
      </form>
      {head && placing === head.id ? <PlaceDialog head={head} onClose={() => setPlacing(undefined)} /> : null}
      {skills ? (
        <SkillsDialog
          chosen={skills.chosen}
          ofWhat={ofWhat}
          project={head?.project}
          switches={switches}
          onChange={setSwitches}
          onUse={nameSkill}
          onClose={() => setSkills(undefined)}
        />
      ) : null}
      {sizing ? <ContextWindowDialog model={model} onClose={() => setSizing(false)} /> : null}
    </>
  )
}

/** The first model that a person connects replaces the Demo as the default. */
function beginWith(defaultModel: ModelRef): void {
  void attempt(changeSettings({ defaultModel }))
}

/** The typed character; null for pasted or completed text. */
function letterOf(event: Event): string | null {
  return event instanceof InputEvent && event.inputType === 'insertText' ? event.data : null
}

/** The attachments with their cost for this model, once that is known. */
function withCosts(waiting: readonly Attachment[], report: ContextReport | undefined): readonly Attachment[] {
  const costs = new Map(report?.attachments.map(({ id, tokens }) => [id, tokens]))
  return waiting.map((one) => ({ ...one, tokens: costs.get(one.id) ?? one.tokens }))
}
