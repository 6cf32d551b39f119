import { useRef } from 'react'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { MessageVersions } from '../../../src-shared/contract/topics.ts'
import { CopyButton, copyText } from '../../content/text/CopyButton.tsx'
import { useModelList } from '../../forms/models/use-model-list.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { forkConversation } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { readWhole } from '../../state/read-text.ts'
import { findHead } from '../../state/selectors.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { costLabel, usageLabel, usageOf } from '../calls/usage-labels.ts'
import { finalWords } from './reply-pieces.ts'
import type { VersionsProps } from './Versions.tsx'

const MORE = 'More about this reply'

const actions = () => import('./reply-actions.ts')

const Versions = onDemand<VersionsProps>(() => import('./Versions.tsx').then((module) => module.Versions))

export interface ReplyFootProps extends Pick<VersionsProps, 'hold'> {
  readonly conversationId: ConversationId
  readonly messages: readonly [Message, ...Message[]]
  /** Earlier messages of the same turn that are not rendered. */
  readonly earlier: readonly Message[]
  readonly last: boolean
  /** Absent for the only version. */
  readonly versions: MessageVersions | undefined
  /** The model's name. */
  readonly author: string
}

/** The foot of a turn: its actions, tokens and cost. */
export function ReplyFoot({ conversationId, messages, earlier, last, versions, author, hold }: ReplyFootProps) {
  const head = useHost((mirror) => findHead(mirror, conversationId))
  const providers = useHost((mirror) => mirror.host.providers)
  const idle = useHost((mirror) => mirror.link === 'live') && head?.turn === 'idle'
  const end = messages.at(-1) ?? messages[0]
  const words = finalWords(messages)
  const all = [...earlier, ...messages]
  const usage = usageOf(all)
  const cost = costLabel(all, providers)
  // The model chosen now, which may not be that of the reply.
  const present = head?.model ?? end.model
  const items: MenuItem[] = []
  const said = messages.find(({ parts }) => parts.some((part) => part === words.at(-1)))
  if (said)
    items.push(
      { label: 'Copy as plain text', onSelect: () => void copyText(async () => (await actions()).plainWords(words)) },
      {
        label: 'Save as note',
        onSelect: () => void attempt(actions().then(({ saveNote }) => saveNote(conversationId, said.id))),
      },
    )
  return (
    <footer className={last ? 'reply-foot line reply-foot-last' : 'reply-foot line'}>
      {versions ? (
        <Versions
          conversationId={conversationId}
          shown={(earlier[0] ?? messages[0]).id}
          versions={versions}
          model={author}
          idle={idle}
          hold={hold}
        />
      ) : null}
      {usage ? (
        <span className="meta" title={`All rounds: ${usageLabel(usage)}`}>
          {counted(usage.input + usage.output, 'token')}
          {all.length > 1 ? `, ${all.length} rounds` : ''}
          {cost === undefined ? null : <span title="Estimated from list prices">, {cost}</span>}
        </span>
      ) : null}
      <span className="reply-actions">
        {words.length > 0 ? <CopyButton label="Copy" text={() => readWhole(words)} /> : null}
        {last && present ? (
          <Button size="small" disabled={!idle} onClick={() => void attempt(ask('turn.retryWith', { id: conversationId }))}>
            Retry
          </Button>
        ) : null}
        <Button size="small" disabled={!idle} onClick={() => void attempt(forkConversation(conversationId, end.id))}>
          Fork
        </Button>
        {last && present ? (
          <MoreWithModels conversationId={conversationId} present={present} idle={idle} items={items} />
        ) : items.length > 0 ? (
          <Menu label={MORE} items={items} />
        ) : null}
      </span>
    </footer>
  )
}

interface MoreProps {
  readonly conversationId: ConversationId
  readonly present: ModelRef
  readonly idle: boolean
  readonly items: readonly MenuItem[]
}

/** The menu with the list of models that one of its items opens. */
function MoreWithModels({ conversationId, present, idle, items }: MoreProps) {
  const place = useRef<HTMLSpanElement>(null)
  const button = () => place.current?.querySelector<HTMLElement>('[aria-haspopup=menu]')
  const { toggle, list } = useModelList(
    button,
    present,
    (model) => void attempt(ask('turn.retryWith', { id: conversationId, model })),
  )
  return (
    <span ref={place}>
      <Menu label={MORE} items={[...items, { label: 'Retry with another model …', disabled: !idle, onSelect: toggle }]} />
      {list}
    </span>
  )
}
