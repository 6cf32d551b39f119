import { describe, expect, it } from 'vitest'
import type { ConversationId, InteractionId, ServerId } from '../../src-shared/contract/ids.ts'
import type { About, Interaction } from '../../src-shared/contract/interactions.ts'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { questionToShow, type Screen } from './question-on-screen.ts'

const files = 'files' as ServerId
const chat = 'chat' as ConversationId

function question(id: string, about: Partial<About>): Interaction {
  return {
    id: id as InteractionId,
    kind: 'roots-request',
    about: { serverId: files, serverName: 'files', origin: 'server', cause: 'It asked.', ...about },
    askedAt: 0,
    endsAt: 1,
    question: { suggestions: [] },
  }
}

const inChat = (id: string) => question(id, { conversationId: chat, origin: 'model' })
const screen = (changes: Partial<Screen>): Screen => ({
  route: { section: 'conversations', id: chat },
  setAside: new Set(),
  openQuestion: undefined,
  running: [],
  ...changes,
})
const elsewhere = { route: { section: 'settings' } } as const

describe('the question on screen', () => {
  it('is the oldest of the conversation shown, at its place', () => {
    const shown = questionToShow(
      [question('other', { conversationId: 'b' as ConversationId }), inChat('1'), inChat('2')],
      screen({}),
    )
    expect(shown).toMatchObject({ interaction: { id: '1' }, place: 'inline' })
  })

  it('is that of a view before a later one about the start of a server, which follows once it is answered', () => {
    const ofView = question('view', { conversationId: chat, origin: 'app' })
    const ofStart = question('start', { origin: 'user' })
    expect(questionToShow([ofView, ofStart], screen({}))).toMatchObject({ interaction: { id: 'view' }, place: 'inline' })
    expect(questionToShow([ofStart], screen({}))).toMatchObject({ interaction: { id: 'start' }, place: 'modal' })
    expect(questionToShow([ofView, ofStart], screen(elsewhere))).toMatchObject({ interaction: { id: 'start' } })
  })

  it('does not come from a conversation that is not shown', () => {
    expect(questionToShow([inChat('1')], screen(elsewhere))).toBeUndefined()
  })

  it('is modal when the person just caused it, wherever they are', () => {
    expect(questionToShow([question('1', { origin: 'user' })], screen(elsewhere))).toMatchObject({ place: 'modal' })
  })

  it('is modal on the page of the server that asks', () => {
    const asks = [question('1', {})]
    expect(questionToShow(asks, screen({ route: { section: 'servers', id: 'files' } }))).toMatchObject({ place: 'modal' })
    expect(questionToShow(asks, screen({ route: { section: 'servers', id: 'mail' } }))).toBeUndefined()
    expect(questionToShow(asks, screen({ route: { section: 'servers' } }))).toBeUndefined()
  })

  it('never opens by itself in the Inbox', () => {
    const inbox = { route: { section: 'inbox' } } as const
    expect(questionToShow([question('1', { origin: 'user' }), question('2', {})], screen(inbox))).toBeUndefined()
    const opened = questionToShow([question('1', {})], screen({ ...inbox, openQuestion: '1' }))
    expect(opened).toMatchObject({ interaction: { id: '1' }, place: 'modal' })
  })

  it('continues from a reviewed request to its reply, until that is dismissed', () => {
    const reply: Interaction = {
      ...question('reply', {}),
      kind: 'sampling-result',
      question: { follows: 'request', model: DEMO_MODEL, state: 'writing', blocks: [] },
    }
    const inbox = { route: { section: 'inbox' }, openQuestion: 'request' } as const
    expect(questionToShow([reply], screen(inbox))).toMatchObject({ interaction: { id: 'reply' } })
    expect(questionToShow([reply], screen({ ...inbox, setAside: new Set(['reply']) }))).toBeUndefined()
  })

  it('belongs to the conversation whose call its server is busy with, even without a named cause', () => {
    const asked = [{ ...question('1', {}), askedAt: 5 }]
    expect(questionToShow(asked, screen({ running: [{ serverId: files, startedAt: 5 }] }))).toMatchObject({ place: 'inline' })
    expect(questionToShow(asked, screen({ running: [{ serverId: files, startedAt: 6 }] }))).toBeUndefined()
    expect(questionToShow([question('1', {})], screen({}))).toBeUndefined()
  })

  it('is not a dismissed one', () => {
    expect(questionToShow([inChat('1'), inChat('2')], screen({ setAside: new Set(['1']) }))).toMatchObject({
      interaction: { id: '2' },
    })
  })

  it('is the one opened from the Inbox, modal away from its conversation', () => {
    const open = [question('1', { origin: 'user' }), inChat('2')]
    const opened = screen({ ...elsewhere, openQuestion: '2' })
    expect(questionToShow(open, opened)).toMatchObject({ interaction: { id: '2' }, place: 'modal' })
    expect(questionToShow(open, screen({ openQuestion: '2' }))).toMatchObject({ interaction: { id: '2' }, place: 'inline' })
    expect(questionToShow(open.slice(0, 1), opened)).toMatchObject({ interaction: { id: '1' } })
  })
})
