import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ResultOf } from '../../src-shared/contract/requests.ts'
import type { LinkSink } from '../host/host-link.ts'
import { emptyMirror, type HostMirror, receiveFrame, withOlder, withoutTopic, withUnlisted } from './mirror.ts'

/** This window's copy of the host's state. Only `hostSink` and the two functions below write to it. */
export const useHost = create<HostMirror>(() => emptyMirror)

/** For selectors that build an array or a record: renders only when one of its entries changes. */
export function useHostShallow<T>(select: (mirror: HostMirror) => T): T {
  return useHost(useShallow(select))
}

export const hostSink: LinkSink = {
  link: (state) => useHost.setState({ link: state }),
  receive(frame) {
    const { mirror, gap } = receiveFrame(useHost.getState(), frame)
    useHost.setState(mirror, true)
    return gap
  },
  forget: (topic) => useHost.setState((mirror) => withoutTopic(mirror, topic), true),
}

/**
 * Adds the page of heads that begins at `unread`, and says whether any was new. A page that begins elsewhere is outdated and
 * dropped.
 */
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
