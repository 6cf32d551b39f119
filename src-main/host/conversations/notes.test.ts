import { describe, expect, it } from 'vitest'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { NOTE_LIMIT } from '../../../src-shared/contract/notes.ts'

const ANSWER = '# Tea\n\nBoil the water first.'

/** Saves the last message of a conversation. */
async function saved(chat: ChatHost, id: ConversationId) {
  const { messages } = await chat.storage.messages.transcript(id)
  const last = messages.at(-1)?.message.id
  if (last === undefined) throw new Error('There is no message.')
  return chat.host.conversations.open(id, (one) => chat.host.notes.save(one, last))
}

describe('a note saved from an answer', () => {
  it('is listed by its first line, renamed, removed and restored, and is there after a restart', async () => {
    const chat = await chatHost({ replies: [[ANSWER]] })
    const id = await chat.say('How do I make tea?')
    await chat.idle(id)
    const { notes, state } = chat.host
    const note = await saved(chat, id)
    expect(state.snapshot.notes).toEqual([note])
    expect(note.title).toBe('Tea')
    await notes.rename(note.id, ' Making  tea\nwell ')
    await expect(notes.rename(note.id, ' ')).rejects.toThrow('Enter a title')
    expect(state.snapshot.notes).toMatchObject([{ id: note.id, title: 'Making tea' }])
    await notes.remove(note.id)
    expect(state.snapshot.notes).toEqual([])
    await notes.restore(note.id)
    await chat.end()
    const later = await chatHost({ after: chat })
    expect(later.host.state.snapshot.notes).toMatchObject([{ id: note.id, title: 'Making tea' }])
  })

  it('is restored once, also after the removal of others', async () => {
    const chat = await chatHost({ replies: [[ANSWER]] })
    const id = await chat.say('How do I make tea?')
    await chat.idle(id)
    const { notes, state } = chat.host
    const two = [await saved(chat, id), await saved(chat, id)]
    for (const note of two) await notes.remove(note.id)
    for (const note of two) await notes.restore(note.id)
    expect(state.snapshot.notes).toHaveLength(2)
    await notes.rename(two[0]!.id, 'Green tea')
    await expect(notes.restore(two[0]!.id)).rejects.toThrow('no longer exists')
    expect(state.snapshot.notes.map(({ title }) => title).sort()).toEqual(['Green tea', 'Tea'])
  })

  it('goes along with a message as a file, also when its conversation is gone', async () => {
    const chat = await chatHost({ replies: [[ANSWER], ['Fine.']] })
    const from = await chat.say('How do I make tea?')
    await chat.idle(from)
    const note = await saved(chat, from)
    await chat.host.conversations.remove(from)
    const id = await chat.newConversation()
    const { attachment } = await chat.host.conversations.open(id, (one) => chat.host.notes.attach(one, note.id))
    expect(attachment).toMatchObject({ file: 'text', title: 'Note - Tea' })
    await chat.host.conversations.open(id, (one) => one.send('Shorter, please'))
    await chat.idle(id)
    expect(JSON.stringify(chat.model.request(-1))).toContain('Boil the water first.')
  })

  it('has a title without hidden marks, which a field would not show', async () => {
    const chat = await chatHost({ replies: [['\u202e# Te\u200ba \u{e0041}for\u0007 two\n\nBoil.']] })
    const id = await chat.say('How do I make tea?')
    await chat.idle(id)
    expect((await saved(chat, id)).title).toBe('Tea for two')
  })

  it('needs a message with a text', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: {} }]] })
    const id = await chat.say('go')
    await chat.question()
    await expect(saved(chat, id)).rejects.toThrow('This message has no text.')
  })

  it('is no longer than a message, and one of a limited number', async () => {
    const half = 'a'.repeat(600 * 1024)
    const chat = await chatHost({ replies: [[ANSWER], [half, half]] })
    const long = await chat.say('Write much.')
    await chat.idle(long)
    for (let n = 0; n < NOTE_LIMIT; n += 1) await saved(chat, long)
    await expect(saved(chat, long)).rejects.toThrow('You already have 200 notes. Remove one first.')
    await chat.host.notes.remove(chat.host.state.snapshot.notes[0]!.id)
    await chat.host.conversations.open(long, (one) => one.send('Write more.'))
    await chat.idle(long)
    await expect(saved(chat, long)).rejects.toThrow('too long for a note')
  })
})
