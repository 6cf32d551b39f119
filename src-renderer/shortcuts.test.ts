import { expect, it } from 'vitest'
import type { ConversationHead } from '../src-shared/contract/conversations.ts'
import { appliesHere } from './shortcuts.ts'
import { useHost } from './state/host-store.ts'
import { useView } from './state/view-store.ts'

it('the palette lists stopping only while the reply on screen runs, and renaming only beside a conversation', () => {
  const heads = [{ id: 'idle' }, { id: 'busy', turn: 'running' }] as unknown as readonly ConversationHead[]
  useHost.setState((mirror) => ({ host: { ...mirror.host, conversations: heads } }))
  const listed = (section: 'conversations' | 'servers', id: string) => {
    useView.setState({ route: { section, id } })
    return [appliesHere('stop'), appliesHere('rename'), appliesHere('inbox')]
  }
  expect(listed('conversations', 'busy')).toEqual([true, true, true])
  expect(listed('conversations', 'idle')).toEqual([false, true, true])
  expect(listed('conversations', 'new')).toEqual([false, false, true])
  expect(listed('servers', 'busy')).toEqual([false, false, true])
})
