import { expect, it } from 'vitest'
import type { ConversationHead } from '../src-shared/contract/conversations.ts'
import { appliesHere } from './shortcuts.ts'
import { useHost } from './state/host-store.ts'
import { useView } from './state/view-store.ts'

it('the palette lists stopping only while a reply runs, renaming and the last reply only beside a conversation', () => {
  const heads = [{ id: 'idle' }, { id: 'busy', turn: 'running' }] as unknown as readonly ConversationHead[]
  useHost.setState((mirror) => ({ host: { ...mirror.host, conversations: heads } }))
  const listed = (section: 'conversations' | 'servers', id: string) => {
    useView.setState({ route: { section, id } })
    return [appliesHere('stop'), appliesHere('rename'), appliesHere('messages'), appliesHere('inbox')]
  }
  expect(listed('conversations', 'busy')).toEqual([true, true, true, true])
  expect(listed('conversations', 'idle')).toEqual([false, true, true, true])
  expect(listed('conversations', 'new')).toEqual([false, false, false, true])
  expect(listed('servers', 'busy')).toEqual([false, false, false, true])
})
