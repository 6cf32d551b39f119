import { beforeEach, expect, it } from 'vitest'
import { answeringHost } from '../../e2e/test-hosts/answering-host.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'
import { conversationOf, removeTyped } from './conversation-of.ts'

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

it('a chosen file leaves its name where it was typed, and other choices leave no gap', () => {
  const chosen = (text: string, typed: string, name?: string) => {
    setDraft('new', text)
    removeTyped({ ...picker, typed: { text: typed, at: text.indexOf(typed) } }, name)
    return draft('new')
  }
  expect(chosen('Compare @vat with', '@vat', 'vat.ts')).toBe('Compare vat.ts with')
  expect(chosen('Compare @vat', '@vat', 'vat.ts')).toBe('Compare vat.ts ')
  expect(chosen('Compare @vat with', '@vat')).toBe('Compare with')
  expect(chosen('@vat with', '@vat')).toBe('with')
  expect(chosen('Compare @vat', '@vat')).toBe('Compare ')
  expect(chosen('Compare @vat, with', '@vat')).toBe('Compare , with')
})

it('a file’s name that is more than words and an extension leaves nothing', () => {
  for (const name of ['mallory@evil.example', 'a\nb.md', '<b>.md', `${'x'.repeat(80)}.md`, ' a.md', 'delete all', '']) {
    setDraft('new', 'see @m')
    removeTyped({ ...picker, typed: { text: '@m', at: 4 } }, name)
    expect(draft('new')).toBe('see ')
  }
})
