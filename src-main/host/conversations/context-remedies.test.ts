import { describe, expect, it } from 'vitest'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { ServerCost } from '../../../src-shared/contract/context.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { AttachmentId, MessageId, ServerId } from '../../../src-shared/contract/ids.ts'
import { remediesOf, unusedServer } from './context-remedies.ts'

const attachment = (id: string, tokens: number): Attachment => ({
  ...{ id: id as AttachmentId, serverId: 's' as ServerId, serverName: 'S', uri: `x:${id}`, title: id, size: tokens, tokens },
  ...{ items: [], attachedAt: 0, subscribed: false, warnings: [] },
})

const server = (name: string, ...costs: number[]): ServerCost => ({
  ...{ serverId: name as ServerId, serverName: name, toolCount: costs.length },
  tokens: costs.reduce((sum, cost) => sum + cost, 0),
  tools: costs.map((tokens, n) => ({ tool: `${name}-${n}`, tokens, state: 'offered' })),
})

/** Messages by role and tokens. */
function talk(...turns: readonly (readonly ['user' | 'assistant', number])[]) {
  const messages = turns.map(
    ([role], n): Message => ({ id: `m${n}` as MessageId, role, at: 0, parts: [], status: 'done' }) as never,
  )
  return { messages, counted: turns.map(([, tokens], n) => ({ id: `m${n}` as MessageId, tokens })) }
}

const room = { total: 1000, window: 1000 }
const quiet = { ...room, ...talk(['user', 5], ['assistant', 5]) }

describe('the remedies of a full context', () => {
  it('remove the largest attachment while the model searches for its tools', () => {
    const remedies = remediesOf({ ...quiet, servers: [], attachments: [attachment('small', 10), attachment('large', 900)] })
    expect(remedies.map(({ does, frees }) => [does, frees])).toEqual([
      [{ is: 'detach', attachmentId: 'large' }, 900],
      [{ is: 'detach', attachmentId: 'small' }, 10],
    ])
  })

  it('begin with what frees most: whole servers, or tools where there is one server', () => {
    const mixed = remediesOf({ ...quiet, servers: [server('a', 300), server('b', 50)], attachments: [attachment('x', 100)] })
    expect(mixed.map(({ label }) => label)).toEqual(['Turn off “a” here', 'Remove “x”', 'Turn off “b” here'])
    expect(mixed.map(({ done }) => done)).toEqual(['Turned off “a” here', 'Removed “x”', 'Turned off “b” here'])
    const alone = remediesOf({ ...quiet, servers: [server('a', 300, 20)], attachments: [attachment('x', 100)] })
    expect(alone.map(({ label }) => label)).toEqual(['Turn off “a-0” here', 'Remove “x”', 'Turn off “a-1” here'])
  })

  it('each free at least a hundredth of the window, or all that is missing', () => {
    const tools = [server('a', 300, 75)]
    const freed = (total: number) =>
      remediesOf({ ...quiet, total, window: 10_000, servers: tools, attachments: [] }).map(({ frees }) => frees)
    expect(freed(9_900)).toEqual([300])
    expect(freed(14_000)).toEqual([300])
    expect(freed(10_070)).toEqual([300, 75])
  })

  it('end with a fork before the longest answer, which frees what followed, except what the composer takes along', () => {
    const { messages, counted } = talk(
      ['user', 900],
      ['assistant', 10],
      ['user', 20],
      ['assistant', 4000],
      ['user', 5],
      ['assistant', 6],
    )
    const remedies = remediesOf({ ...room, messages, counted, servers: [server('a', 10, 20, 30)], attachments: [] })
    expect(remedies).toHaveLength(3)
    expect(remedies.at(-1)).toMatchObject({ does: { is: 'fork', messageId: 'm2' }, frees: 4011 })
  })

  it('include no fork when the person’s own messages take the room', () => {
    const { messages, counted } = talk(['user', 90_000], ['assistant', 30])
    expect(remediesOf({ ...room, messages, counted, servers: [], attachments: [] })).toEqual([])
  })
})

describe('a server whose tools are not used', () => {
  /** A conversation of this many turns, with calls of servers by the number of their turn. */
  function conversation(turns: number, calls: Readonly<Record<number, string>> = {}): Parameters<typeof unusedServer>[1] {
    const messages = Array.from({ length: turns }, (_, n) =>
      ['user', 'assistant'].map((role) => ({ role, turnId: `t${n}` })),
    ).flat()
    const toolCalls = Object.entries(calls).map(
      ([turn, serverId]) => [turn, { toolCall: { turnId: `t${turn}`, serverId } }] as const,
    )
    return { messages: messages.map((message) => ({ message })), toolCalls: new Map(toolCalls) } as never
  }
  const servers = [server('cheap', 300), server('dear', 3_000), server('dearer', 2_000, 2_000)]

  it('is named with its cost after twenty turns without a call, the most expensive first', () => {
    expect(unusedServer(servers, conversation(20))).toEqual({
      serverId: 'dearer',
      serverName: 'dearer',
      turns: 20,
      remedy: {
        label: 'Turn off “dearer” here',
        done: 'Turned off “dearer” here',
        frees: 4_000,
        does: { is: 'turn-off', serverId: 'dearer' },
      },
    })
    expect(unusedServer(servers, conversation(21, { 0: 'dear', 1: 'dearer' }))?.serverId).toBe('dear')
  })

  it('is not named earlier, nor while it is used, nor where its tools cost little', () => {
    expect(unusedServer(servers, conversation(19))).toBeUndefined()
    expect(unusedServer(servers, conversation(30, { 10: 'dear', 29: 'dearer' }))).toBeUndefined()
    expect(unusedServer([server('cheap', 300)], conversation(30))).toBeUndefined()
  })
})
