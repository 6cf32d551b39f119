import { beforeEach, expect, it } from 'vitest'
import { answeringHost } from '../../e2e/test-hosts/answering-host.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'
import { conversationOf } from './conversation-of.ts'

const made = 'made' as ConversationId
const picker: Picker = { kind: 'resources', conversation: undefined, model: DEMO_MODEL, typed: { text: '@ba', at: 5 } }
const draft = (id: ConversationId | 'new') => useView.getState().drafts[id]

beforeEach(() => {
  setDraft('new', 'look @ba')
  setPicker(picker)
})

it('the first attachment creates the conversation, with the written text and not the picker’s search', async () => {
  const asked = answeringHost({ 'conversation.create': () => ({ id: made }) })
  expect(await conversationOf(picker)).toBe(made)
  expect([draft(made), draft('new')]).toEqual(['look ', ''])
  const { picker: now } = useView.getState()
  expect(now).toEqual({ kind: 'resources', conversation: made, model: DEMO_MODEL })
  expect(await conversationOf(now as Picker)).toBe(made)
  // The welcome page must not come again; that this failed here stops nothing.
  const welcomed = { name: 'settings.change', params: { settings: { welcomed: true } } }
  expect(asked).toEqual([{ name: 'conversation.create', params: { model: DEMO_MODEL } }, welcomed])
})

it('a picker closed meanwhile stays closed', async () => {
  answeringHost({ 'conversation.create': () => ({ id: made }) })
  const making = conversationOf(picker)
  setPicker(undefined)
  await making
  expect(useView.getState().picker).toBeUndefined()
})
