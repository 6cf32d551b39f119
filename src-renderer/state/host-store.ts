import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { LinkSink } from '../host/host-link.ts'
import { emptyMirror, type HostMirror, receiveFrame, withOlder, withoutTopic } from './mirror.ts'

/** The mirror of the host. Written only by what comes from the host. */
export const useHost = create<HostMirror>(() => emptyMirror)

/** For a selector that builds an array or a record: renders again only when an entry of it is another. */
export function useHostShallow<T>(select: (mirror: HostMirror) => T): T {
  return useHost(useShallow(select))
}

/** The one writer. */
export const hostSink: LinkSink = {
  link: (state) => useHost.setState({ link: state }),
  receive(frame) {
    const { mirror, hole } = receiveFrame(useHost.getState(), frame)
    useHost.setState(mirror, true)
    return hole
  },
  forget: (topic) => useHost.setState((mirror) => withoutTopic(mirror, topic), true),
}

/** Keeps a page of conversation heads that came as a result; whether any was new. */
export function keepOlderHeads(heads: readonly ConversationHead[]): boolean {
  const before = useHost.getState()
  const after = withOlder(before, heads)
  useHost.setState(after, true)
  return after.older.length > before.older.length
}
