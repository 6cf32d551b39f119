import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ResultOf } from '../../src-shared/contract/requests.ts'
import type { LinkSink } from '../host/host-link.ts'
import { emptyMirror, type HostMirror, receiveFrame, withOlder, withoutTopic, withUnlisted } from './mirror.ts'

/** The mirror of the host. Written only by what comes from the host. */
export const useHost = create<HostMirror>(() => emptyMirror)

/** For a selector that builds an array or a record: renders again only when one of its entries changes. */
export function useHostShallow<T>(select: (mirror: HostMirror) => T): T {
  return useHost(useShallow(select))
}

/** The one writer. */
export const hostSink: LinkSink = {
  link: (state) => useHost.setState({ link: state }),
  receive(frame) {
    const { mirror, gap } = receiveFrame(useHost.getState(), frame)
    useHost.setState(mirror, true)
    return gap
  },
  forget: (topic) => useHost.setState((mirror) => withoutTopic(mirror, topic), true),
}

/** Keeps the page of heads that begins at `unread`; whether any was new. One that begins elsewhere by now is of no use. */
export function keepOlderHeads(unread: HostMirror['unread'], { items, next }: ResultOf<'conversation.page'>): boolean {
  const before = useHost.getState()
  if (before.unread !== unread) return false
  const after = withOlder(before, items, next)
  useHost.setState(after, true)
  return after.older.length > before.older.length
}

export function keepHead(head: ConversationHead): void {
  useHost.setState((mirror) => withUnlisted(mirror, head), true)
}
