import { describe, expect, it } from 'vitest'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { emptySnapshot, SNAPSHOT_HEADS } from '../../src-shared/contract/events.ts'
import type { ConversationId, InteractionId, ServerId } from '../../src-shared/contract/ids.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { emptyMirror, type HostMirror, receiveFrame, withOlder, withUnlisted } from './mirror.ts'
import { findHead } from './selectors.ts'

const head = (n: number): ConversationHead => ({
  id: `c${n}` as ConversationId,
  title: `Conversation ${n}`,
  createdAt: n,
  updatedAt: n,
  sequence: n,
  model: DEMO_MODEL,
  turn: 'idle',
})
const full = Array.from({ length: SNAPSHOT_HEADS }, (_, index) => head(SNAPSHOT_HEADS + 10 - index))
const welcomed = receiveFrame(emptyMirror, {
  t: 'welcome',
  contract: 1,
  epoch: 'a',
  seq: 0,
  snapshot: { ...emptySnapshot, conversations: full, conversationCount: SNAPSHOT_HEADS + 10 },
}).mirror

describe('the mirror', () => {
  it('keeps older heads once, however often their page comes', () => {
    const once = withOlder(welcomed, [head(12), head(10), head(9)])
    expect(withOlder(once, [head(10), head(9), head(8)]).older.map((one) => one.id)).toEqual(['c10', 'c9', 'c8'])
  })

  it('does not lose a head that a newer one pushes out of the snapshot', () => {
    const { mirror } = receiveFrame(welcomed, { t: 'events', from: 1, events: [{ type: 'conversation.added', head: head(999) }] })
    expect(mirror.host.conversations).toHaveLength(SNAPSHOT_HEADS)
    expect(mirror.older.map((one) => one.id)).toEqual(['c11'])
  })

  it('drops a removed head wherever it is', () => {
    const withPage = withOlder(welcomed, [head(5), head(4)])
    const { mirror } = receiveFrame(withPage, {
      t: 'events',
      from: 1,
      events: [
        { type: 'conversation.removed', id: head(5).id },
        { type: 'conversation.removed', id: head(50).id },
      ],
    })
    expect(mirror.older.map((one) => one.id)).toEqual(['c4'])
    expect(mirror.host.conversations.some((one) => one.id === 'c50')).toBe(false)
  })

  it('knows where older heads continue until all were read, and again after a new greeting', () => {
    expect(welcomed.unread).toEqual({})
    const some = withOlder(welcomed, [head(9)], 'c9')
    expect(some.unread).toEqual({ before: 'c9' })
    expect(withOlder(some, [head(8)]).unread).toBeUndefined()
    const { mirror } = receiveFrame(some, { t: 'welcome', contract: 1, epoch: 'a', seq: 7, snapshot: welcomed.host })
    expect(mirror).toMatchObject({ older: [], unread: {} })
  })

  it('keeps an old conversation’s head during a new greeting, until the list has it', () => {
    const opened = receiveFrame(withUnlisted(withOlder(welcomed, [head(5)]), head(4)), {
      ...{ t: 'topic', topic: `conversation/${head(5).id}`, seq: 0 },
      value: { kind: 'conversation', messages: [], toolCalls: {}, hasEarlier: false },
    }).mirror
    const again = receiveFrame(opened, { t: 'welcome', contract: 1, epoch: 'a', seq: 7, snapshot: welcomed.host }).mirror
    expect(findHead(again, head(5).id)).toEqual(head(5))
    expect(findHead(again, head(4).id)).toBeUndefined()
    const change = (before: HostMirror, from: number, changed: ConversationHead) =>
      receiveFrame(before, { t: 'events', from, events: [{ type: 'conversation.changed', head: changed }] }).mirror
    const renamed = change(again, 8, { ...head(5), title: 'Another' })
    expect(findHead(renamed, head(5).id)?.title).toBe('Another')
    const said = change(renamed, 9, { ...head(5), sequence: 9999 })
    expect(said.host.conversations[0]?.id).toBe('c5')
    expect(said.unlisted).toEqual([])
  })

  it('moves an older head to the front when it gets a message', () => {
    const withPage = withOlder(welcomed, [head(5), head(4)])
    const { mirror } = receiveFrame(withPage, {
      t: 'events',
      from: 1,
      events: [{ type: 'conversation.changed', head: { ...head(4), sequence: 9999 } }],
    })
    expect(mirror.host.conversations[0]?.id).toBe('c4')
    expect(mirror.older.map((one) => one.id)).toEqual(['c11', 'c5'])
  })

  it('is unchanged at a gap', () => {
    const result = receiveFrame(welcomed, { t: 'events', from: 3, events: [{ type: 'notice.removed', id: 'n' }] })
    expect(result).toEqual({ mirror: welcomed, gap: 'all' })
  })

  it('remembers which questions ended unanswered and why, and forgets answered ones', () => {
    const question = (id: string): Interaction => ({
      id: id as InteractionId,
      kind: 'roots-request',
      about: { serverId: 'files' as ServerId, serverName: 'files', origin: 'server', cause: 'It asked.' },
      askedAt: 0,
      endsAt: 1,
      question: { suggestions: [] },
    })
    const { mirror } = receiveFrame(welcomed, {
      t: 'events',
      from: 1,
      events: [
        { type: 'interaction.opened', interaction: question('1') },
        { type: 'interaction.opened', interaction: question('2') },
        { type: 'interaction.closed', id: question('1').id, outcome: 'withdrawn', why: 'The server exited.' },
        { type: 'interaction.closed', id: question('2').id, outcome: 'answered' },
      ],
    })
    expect(mirror.host.interactions).toEqual([])
    expect(mirror.ended).toEqual([{ interaction: question('1'), why: 'The server exited.' }])
  })
})
