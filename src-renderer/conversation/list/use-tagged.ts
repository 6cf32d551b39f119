import { useEffect, useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'

/** More than anybody scrolls through below one tag. */
const PAGES = 20

/** All conversations with a tag, read anew when one changes; undefined without a tag and until the first page came. */
export function useTagged(tag: string): readonly ConversationHead[] | undefined {
  const [found, setFound] = useState<{ readonly tag: string; readonly heads: readonly ConversationHead[] }>()
  const known = useHost((mirror) => mirror.host.conversations)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a head that changed may have another tag now
  useEffect(() => {
    if (tag === '') return
    const giveUp = new AbortController()
    const read = async () => {
      const heads: ConversationHead[] = []
      let before: string | undefined
      for (let page = 0; page < PAGES; page++) {
        const where = before === undefined ? { tag } : { tag, before }
        const { items, next } = await ask('conversation.page', where, giveUp.signal)
        heads.push(...items)
        if (next === undefined) break
        before = next
      }
      if (!giveUp.signal.aborted) setFound({ tag, heads })
    }
    read().catch(() => {})
    return () => giveUp.abort()
  }, [tag, known])
  return tag !== '' && found?.tag === tag ? found.heads : undefined
}
