import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { ATTACHMENT_LIMIT, type Attachment } from '../../src-shared/contract/attachments.ts'
import type { ContextReport } from '../../src-shared/contract/context.ts'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { type ModelRef, NO_SWITCHES, type Settings, type ToolSwitches } from '../../src-shared/contract/settings.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { ModelSelect } from '../forms/models/ModelSelect.tsx'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask, changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { editLastMessage, projectOfNew, takeQueued } from '../state/conversation-actions.ts'
import { useHost } from '../state/host-store.ts'
import { lacksKey, ofKnownProvider } from '../state/models.ts'
import { routeHash } from '../state/route.ts'
import { type UsedProject, useProject } from '../state/use-project.ts'
import { useConversation } from '../state/use-topic.ts'
import { type Picker, setDraft, setPicker, setPlacing, setSkills, useView } from '../state/view-store.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { PromptIcon, SendIcon, StopIcon } from '../ui/icons.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { AttachMenu } from './attachments/AttachMenu.tsx'
import { AttachmentList } from './attachments/AttachmentList.tsx'
import { setSendsLater } from './attachments/file-uploads.ts'
import { ContextMeter } from './ContextMeter.tsx'
import { EffortMenu } from './composer/EffortMenu.tsx'
import { flushDrafts, keepDrafts } from './composer/kept-drafts.ts'
import type { SwitchesOf } from './composer/switches.ts'
import { ToolsButton } from './composer/ToolsButton.tsx'
import { useCaretList } from './composer/use-caret-list.tsx'
import { PlaceDialog } from './list/dialogs.ts'
import { useContextReport } from './use-context-report.ts'
import { useSending } from './use-sending.ts'

const SkillsDialog = onDemand(() => import('../skills/SkillsDialog.tsx').then((module) => module.SkillsDialog))
const QueuedMessages = onDemand(() => import('./composer/QueuedMessages.tsx').then((module) => module.QueuedMessages))
const ContextWindowDialog = onDemand(() => import('./ContextWindow.tsx').then((module) => module.ContextWindowDialog))
const ComposerFiles = onDemand(() => import('./attachments/ComposerFiles.tsx').then((module) => module.ComposerFiles))

/** The line below the buttons: why the message is not sent now, else the keys for screen readers. */
function hintOf(live: boolean, waitsForFiles: boolean, running: boolean, sendWith: Settings['sendWith']) {
  if (!live) return { shown: true, text: 'Parley is not connected. Your text is kept.' }
  if (waitsForFiles) return { shown: true, text: 'Sends when the files have arrived. Esc cancels.' }
  const key = sendWith === 'enter' ? 'Enter' : 'Ctrl+Enter'
  if (running) return { shown: false, text: `${key} sends it after this reply, Alt+Enter now.` }
  return { shown: false, text: `${key} sends, ${sendWith === 'enter' ? 'Shift+Enter' : 'Enter'} starts a new line.` }
}

/** The model of the next message, and its choice. */
function useModel(head: ConversationHead | undefined, begins: UsedProject) {
  const wished = useView((view) => view.modelOfNew)
  const chosen = useHost(({ host }) => ofKnownProvider(host.providers, wished))
  const { defaultModel } = useHost(({ host }) => host.settings)
  const choose = (wanted: ModelRef) => {
    if (head) void attempt(ask('conversation.setModel', { id: head.id, model: wanted }))
    else useView.setState({ modelOfNew: wanted })
  }
  return { model: head?.model ?? chosen ?? begins.head?.model ?? defaultModel, choose }
}

/** The switches of tools and skills: of this conversation, or of what a new one begins with. */
function useSwitches(head: ConversationHead | undefined, open: ConversationTopic | undefined, begins: UsedProject) {
  const { newSwitches } = useHost(({ host }) => host.settings)
  const ofNew = begins.head ? begins.project?.switches : newSwitches
  const keep = (wanted: ToolSwitches): Promise<unknown> => {
    if (head) return ask('conversation.setSwitches', { id: head.id, switches: wanted })
    if (begins.head) return begins.change({ switches: wanted })
    return changeSettings({ newSwitches: wanted })
  }
  const known = head ? open?.switches : ofNew
  const [switches, onChange] = useSavedChoice(known ?? NO_SWITCHES, (wanted) => attempt(keep(wanted)))
  const ofWhat: SwitchesOf = head ? 'this conversation' : begins.head ? 'this project' : 'new conversations'
  const loading = head ? !open : begins.head !== undefined && !begins.project
  return { loading, props: { project: head?.project, switches, ofWhat, onChange } }
}

interface ComposerProps {
  /** Undefined before the first message, which creates the conversation. */
  readonly head: ConversationHead | undefined
}

/** The form for the next message, which waits while a reply runs. */
export function Composer({ head }: ComposerProps) {
  const key = head?.id ?? 'new'
  const live = useHost((mirror) => mirror.link === 'live')
  const providers = useHost((mirror) => mirror.host.providers)
  const sendWith = useHost((mirror) => mirror.host.settings.sendWith)
  const text = useView((view) => view.drafts[key] ?? '')
  const begun = useView((view) => view.begun)
  const placing = useView((view) => view.placing)
  const skills = useView((view) => view.skills)
  const [sizing, setSizing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const topic = useConversation(head?.id)
  const open = topic === 'gone' ? undefined : topic
  const { attachments: waiting = [], queue } = open ?? {}
  const running = head?.turn === 'running'
  const begins = useProject(useView((view) => projectOfNew(view.route)))
  const { model, choose } = useModel(head, begins)
  const tools = useSwitches(head, open, begins)
  const report = useContextReport(head, open)
  const provider = providers.find((candidate) => candidate.id === model.provider)

  const focusField = () => field.current?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation has its own draft
  useLayoutEffect(() => {
    focusField()
    // Writing continues at the end of the draft.
    field.current?.setSelectionRange(text.length, text.length)
  }, [key, begun])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation takes the place of this one
  useEffect(() => flushDrafts, [key])
  useEffect(() => {
    if (live) void keepDrafts()
  }, [live])
  const { sendable, waitsForFiles, submit } = useSending({
    head,
    model,
    text,
    live,
    hasAttachments: waiting.length > 0,
    onSent: () => {
      // The clicked button is gone, so the focus is lost unless a question took it.
      if (document.activeElement === document.body) focusField()
    },
  })

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
    model,
    conversation: head?.id,
    ...(typed ? { typed } : {}),
  })
  const pick = (kind: Picker['kind']) => setPicker(picker(kind))
  const room = waiting.length < ATTACHMENT_LIMIT
  const caret = useCaretList({ field, text, prompts: live && !running, resources: live && room, pick: picker })
  const onKeyDown = (event: KeyboardEvent) => {
    if (caret.onKeyDown(event)) return
    if (event.key === 'Escape' && waitsForFiles) {
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
    const now = event.altKey && running
    const sends = sendWith === 'enter' || event.ctrlKey || event.metaKey || now
    if (event.key !== 'Enter' || event.shiftKey || !sends) return
    event.preventDefault()
    void submit(now)
  }
  const below = hintOf(live, waitsForFiles, running, sendWith)
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
          <AttachMenu place={key} model={model} waiting={waiting} disabled={!live} onResources={() => pick('resources')} />
          <IconButton label="Prompts" icon={<PromptIcon />} disabled={!live || running} onClick={() => pick('prompts')} />
          <div className="composer-model">
            <ModelSelect label="Model" hideLabel value={model} disabled={!live || running} onChange={choose} />
          </div>
          <EffortMenu model={model} disabled={!live || running} onChange={choose} />
          <ToolsButton {...tools.props} model={model} disabled={!live || tools.loading} />
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
        <p className={below.shown ? 'meta composer-key' : 'unseen'} id={hint} role="status">
          {below.text}
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
        <SkillsDialog {...tools.props} chosen={skills.chosen} onUse={nameSkill} onClose={() => setSkills(undefined)} />
      ) : null}
      {sizing ? <ContextWindowDialog model={model} onClose={() => setSizing(false)} /> : null}
    </>
  )
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
