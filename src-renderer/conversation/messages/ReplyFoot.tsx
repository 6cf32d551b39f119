import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { CopyButton, copyText } from '../../content/text/CopyButton.tsx'
import { attempt } from '../../state/attempt.ts'
import { forkConversation } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { modelGroups, modelKey, withEffort } from '../../state/models.ts'
import { readWhole } from '../../state/read-text.ts'
import { findHead } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { costWords, usageOf, usageWords } from '../calls/usage-words.ts'
import { retryWith } from './branch-actions.ts'
import { finalWords } from './reply-pieces.ts'

export interface ReplyFootProps {
  readonly conversationId: ConversationId
  readonly messages: readonly [Message, ...Message[]]
  /** Those of the same turn before them. */
  readonly earlier: readonly Message[]
  /** It can be answered anew. */
  readonly last: boolean
}

/** The end of a turn: what can be done with it, and what it took. */
export function ReplyFoot({ conversationId, messages, earlier, last }: ReplyFootProps) {
  const head = useHost((mirror) => findHead(mirror, conversationId))
  const providers = useHost((mirror) => mirror.host.providers)
  const idle = useHost((mirror) => mirror.link === 'live') && head?.turn === 'idle'
  const end = messages.at(-1) ?? messages[0]
  const words = finalWords(messages)
  const all = [...earlier, ...messages]
  const usage = usageOf(all)
  const cost = costWords(all, providers)
  // As it is chosen now, with its effort: that of the reply, unless another was chosen since.
  const present = head?.model ?? end.model
  const items: MenuItem[] = []
  if (words.length > 0) items.push({ label: 'Copy as plain text', onSelect: () => void copyText(() => plainWords(words)) })
  if (last && present) {
    for (const { label, options } of modelGroups(providers, present)) {
      for (const option of options) {
        if (option.value === modelKey(present)) continue
        items.push({
          label: `Retry with ${visibleText(option.label)} (${label})`,
          disabled: !idle,
          onSelect: () => void attempt(retryWith(conversationId, withEffort(option, present))),
        })
      }
    }
  }
  return (
    <footer className={last ? 'reply-foot reply-foot-last' : 'reply-foot'}>
      {usage ? (
        <span className="meta">
          {usageWords(usage)}
          {all.length > 1 ? `, ${all.length} rounds` : ''}
          {cost === undefined ? null : <span title="An estimate by list prices">, {cost}</span>}
        </span>
      ) : null}
      <span className="reply-actions">
        {words.length > 0 ? <CopyButton label="Copy" text={() => readWhole(words)} /> : null}
        {last && present ? (
          <Button size="small" disabled={!idle} onClick={() => void attempt(retryWith(conversationId))}>
            Retry
          </Button>
        ) : null}
        <Button size="small" disabled={!idle} onClick={() => void attempt(forkConversation(conversationId, end.id))}>
          Fork
        </Button>
        {items.length > 0 ? <Menu label="More about this reply" items={items} /> : null}
      </span>
    </footer>
  )
}

async function plainWords(words: readonly BoundedText[]): Promise<string> {
  const { plainText } = await import('./plain-text.ts')
  return plainText(await readWhole(words))
}
