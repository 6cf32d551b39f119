import { memo, useRef } from 'react'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { MessageVersions } from '../../../src-shared/contract/topics.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { attempt } from '../../state/attempt.ts'
import { forkConversation } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { readWhole } from '../../state/read-text.ts'
import { findHead } from '../../state/selectors.ts'
import { closeEdit, editMessage, useView } from '../../state/view-store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { EditIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AttachmentList } from '../attachments/AttachmentList.tsx'
import type { EditMessageProps } from './EditMessage.tsx'
import { MessageOrigin, PartView } from './PartView.tsx'
import type { VersionsProps } from './Versions.tsx'

const EditMessage = onDemand<EditMessageProps>(
  () => import('./EditMessage.tsx').then((module) => module.EditMessage),
  () => <Skeleton label="Loading" />,
)

const Versions = onDemand<VersionsProps>(() => import('./Versions.tsx').then((module) => module.Versions))

interface OwnMessageProps extends Pick<VersionsProps, 'hold'> {
  readonly conversationId: ConversationId
  readonly message: Message
  /** Absent for the only version. */
  readonly versions: MessageVersions | undefined
}

/** The person's message, or a prompt in their name. */
export const OwnMessage = memo(function OwnMessage({ conversationId, message, versions, hold }: OwnMessageProps) {
  const editing = useView((view) => Object.hasOwn(view.edits, message.id))
  const edit = useRef<HTMLButtonElement>(null)
  const idle = useHost((mirror) => findHead(mirror, conversationId)?.turn === 'idle' && mirror.link === 'live')
  const words = message.parts.filter((part) => part.type === 'text')
  const attached = message.parts.filter((part) => part.type === 'resource' || part.type === 'file')
  const stopEditing = (before: Element | null) => {
    closeEdit(message.id)
    requestAnimationFrame(() => (before instanceof HTMLTextAreaElement && before.isConnected ? before : edit.current)?.focus())
  }
  return (
    <article className="message message-mine row" id={`message-${message.id}`} aria-label="You">
      <MessageOrigin message={message} />
      {editing ? (
        <EditMessage conversationId={conversationId} message={message} words={words} onDone={stopEditing} />
      ) : (
        <>
          <div className="message-parts column-3">
            {message.parts.map((part, index) =>
              attached.some((one) => one === part) ? null : (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended
                <PartView key={index} conversationId={conversationId} by="user" part={part} serverId={message.origin?.serverId} />
              ),
            )}
            <AttachmentList conversationId={conversationId} attachments={attached} waiting={false} />
          </div>
          <div className="message-beside row">
            {versions ? (
              <Versions conversationId={conversationId} shown={message.id} versions={versions} idle={idle} hold={hold} />
            ) : null}
            <span className="message-tools row">
              {words.some(({ text }) => text) ? <CopyButton bare label="Copy" text={() => readWhole(words)} /> : null}
              {message.origin ? null : (
                <IconButton
                  ref={edit}
                  label="Edit"
                  icon={<EditIcon />}
                  disabled={!idle}
                  onClick={() => editMessage(message.id)}
                />
              )}
              <Menu
                label="More about this message"
                items={[
                  {
                    label: 'Fork from here',
                    disabled: !idle,
                    onSelect: () => void attempt(forkConversation(conversationId, message.id)),
                  },
                ]}
              />
              <span className="meta">
                <RelativeTime at={message.at} />
              </span>
            </span>
          </div>
        </>
      )}
    </article>
  )
})
