import { describe, expect, it } from 'vitest'
import type { Id } from '../../../src-shared/base/json.ts'
import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { groupLabel } from '../calls/call-groups.ts'
import { finalWords, itemsOf, replyAnnouncement, replyPieces } from './reply-pieces.ts'

const id = <Name extends string>(text: string) => text as Id<Name>
const text = (words: string): MessagePart => ({ type: 'text', text: words })
const thought: MessagePart = { type: 'thinking', text: 'hm' }

/** A reply in rounds: `read` is a call, `"words` a text, `?` thinking; `!` after a call says that it failed, `~` that it runs. */
function reply(...rounds: readonly string[]) {
  const calls: ToolCall[] = []
  const messages = rounds.map((round, n): Message => {
    const messageId = id<'message'>(`m${n}`)
    const parts = round.split(' ').map((word): MessagePart => {
      if (word === '?') return thought
      if (word.startsWith('"')) return text(word.slice(1))
      const toolCallId = id<'tool-call'>(`c${calls.length}`)
      calls.push({
        id: toolCallId,
        turnId: id('t'),
        messageId,
        tool: word.replace(/[!~]/, ''),
        arguments: { json: '{}' },
        status: word.endsWith('!') ? 'failed' : word.endsWith('~') ? 'running' : 'finished',
        proposedAt: 0,
      })
      return { type: 'tool-call', toolCallId }
    })
    return { id: messageId, turnId: id('t'), role: 'assistant', at: n, status: 'done', parts }
  })
  return { messages, calls: new Map(calls.map((call) => [call.id, call])) }
}

/** "6 calls of read" for a group, the tool for a call alone, words for a text. */
function shown(...rounds: readonly string[]): readonly string[] {
  const { messages, calls } = reply(...rounds)
  return replyPieces(messages, calls).flatMap((piece) => {
    if (piece.is === 'end') return ['end']
    if (piece.is === 'part') return [piece.part.type === 'text' ? `"${piece.part.text}` : '?']
    return piece.groups.map(({ steps }) => {
      const { count, tools } = groupLabel(steps)
      return steps.length > 1 ? `${count} ${tools}` : tools
    })
  })
}

describe('the pieces of a reply', () => {
  it('group the calls of one round, and of one tool in a row over rounds', () => {
    expect(shown('list read find', '"done')).toEqual(['3 calls list, read, find', '"done'])
    expect(shown('read', 'read', 'read', '"done')).toEqual(['3 calls of read', '"done'])
    expect(shown('read read', 'read read', 'find')).toEqual(['4 calls of read', 'find'])
  })

  it('separate two calls, and calls with a text between them', () => {
    expect(shown('read read')).toEqual(['read', 'read'])
    expect(shown('read read "well read read')).toEqual(['read', 'read', '"well', 'read', 'read'])
    expect(shown('list', 'read', 'find')).toEqual(['list', 'read', 'find'])
  })

  it('form the longer of two groups, and start again after it', () => {
    expect(shown('list read', 'read', 'read')).toEqual(['list', '3 calls of read'])
    expect(shown('read read find', 'find find find')).toEqual(['3 calls read, find', '3 calls of find'])
  })

  it('never hide a failed call in a group', () => {
    expect(shown('read read read! read read read')).toEqual(['read', 'read', 'read', '3 calls of read'])
  })

  it('group a round once all its calls have ended', () => {
    expect(shown('read read read read~')).toEqual(['read', 'read', 'read', 'read'])
    expect(shown('read read read', 'find~')).toEqual(['3 calls of read', 'find'])
  })

  it('keep thinking with the call that follows, and show the last one', () => {
    expect(shown('? read', '? read', '? read', '? "done')).toEqual(['?', '3 calls of read', '?', '"done'])
  })

  it('omit blank texts and unknown calls', () => {
    const { messages, calls } = reply('" read', '" read', 'read')
    expect(replyPieces(messages, calls)).toHaveLength(1)
    expect(replyPieces(messages, new Map())).toEqual([])
  })

  it('keep the key of a group when more calls join it', () => {
    const key = (...rounds: readonly string[]) => {
      const { messages, calls } = reply(...rounds)
      const [piece] = replyPieces(messages, calls)
      return piece?.is === 'calls' ? piece.groups.at(-1)?.key : undefined
    }
    expect(key('list', 'read', 'read', 'read')).toBe('c1')
    expect(key('list', 'read', 'read', 'read', 'read')).toBe('c1')
  })

  it('mark the end of a stopped message', () => {
    const { messages, calls } = reply('read "half')
    expect(
      replyPieces(
        messages.map((message) => ({ ...message, status: 'stopped' })),
        calls,
      ).at(-1)?.is,
    ).toBe('end')
  })
})

describe('the label of a group', () => {
  it('names four tools at most', () => {
    expect(shown('a b c d e f')).toEqual(['6 calls a, b, c, d and 2 more'])
    expect(shown('a b c d e')).toEqual(['5 calls a, b, c, d, e'])
  })
})

describe('messages shown as one', () => {
  const message = (n: number, role: Message['role'], turn: string, origin = false): Message => ({
    id: id(`m${n}`),
    turnId: id(turn),
    role,
    at: n,
    status: 'done',
    parts: [],
    ...(origin && {
      origin: { kind: 'prompt', serverId: id('s'), serverName: 's', prompt: 'p', title: 'P' } as const,
    }),
  })
  const sizes = (messages: readonly Message[]) => itemsOf(messages).map((item) => item.messages.length)

  it('are those of the model in one turn', () => {
    const turn = [message(0, 'user', 'a'), message(1, 'assistant', 'a'), message(2, 'assistant', 'a')]
    expect(sizes([...turn, message(3, 'user', 'b'), message(4, 'assistant', 'b')])).toEqual([1, 2, 1, 1])
    expect(sizes([message(0, 'assistant', 'a'), message(1, 'assistant', 'b')])).toEqual([1, 1])
  })

  it('do not include those that came with a prompt', () => {
    expect(sizes([message(0, 'assistant', 'a', true), message(1, 'assistant', 'a')])).toEqual([1, 1])
  })

  it('keep their key when earlier ones of the turn are rendered', () => {
    const said = [message(1, 'assistant', 'a'), message(2, 'assistant', 'a')]
    expect(itemsOf(said.slice(1))[0]?.key).toBe(itemsOf(said)[0]?.key)
    expect(itemsOf([message(0, 'user', 'a'), ...said])[1]?.key).toBe(itemsOf(said)[0]?.key)
  })
})

describe('the final text of a turn', () => {
  it('is the text after the last call, or all text when there is none', () => {
    const words = (...rounds: readonly string[]) => finalWords(reply(...rounds).messages).map((part) => part.text)
    expect(words('"first read', '"then', '"last')).toEqual(['then', 'last'])
    expect(words('"first read')).toEqual(['first'])
    expect(words('read')).toEqual([])
  })
})

it('the announcement of a reply counts its calls, and those that failed', () => {
  const said = (...rounds: readonly string[]) => replyAnnouncement('Demo', [...reply(...rounds).calls.values()])
  expect(said('"done')).toBe('Demo has replied.')
  expect(said('read', 'read find')).toBe('Demo has replied after 3 tool calls.')
  expect(said('read!')).toBe('Demo has replied after 1 tool call, 1 failed.')
})
