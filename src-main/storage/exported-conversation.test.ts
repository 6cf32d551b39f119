import { describe, expect, it } from 'vitest'
import { readExports } from './exported-conversation.ts'

const known = '0'.repeat(64)
const blob = (name: string) => ({ blob: name, bytes: 3, mimeType: 'text/plain' })
const resource = {
  ...{ type: 'resource', id: 'a', serverId: 's', serverName: 'files', uri: 'file:///a', title: 'a', size: 3, tokens: 1 },
  ...{ attachedAt: 1, changedSince: 2, subscribed: true, warnings: [] },
  items: [{ uri: 'file:///a', content: blob(known) }],
  before: { items: [{ uri: 'file:///a', content: blob('1'.repeat(64)) }], attachedAt: 0 },
}
const message = { id: 'm', turnId: 't', role: 'assistant', at: 1, parts: [{ type: 'text', text: 'Hi' }], status: 'done' }
const toolCall = {
  ...{ id: 'c', turnId: 't', messageId: 'm', tool: 'read', arguments: { json: '{}' }, status: 'finished', proposedAt: 1 },
}
const read = (parts: { messages?: readonly object[]; toolCalls?: readonly object[] }) => {
  const file = {
    ...{ format: 'parley-conversation', version: 1, title: 'x', createdAt: 1, updatedAt: 1 },
    ...{ model: { provider: 'p', model: 'm' }, messages: [message], toolCalls: [], ...parts },
    blobs: { [known]: { mimeType: 'text/plain', base64: 'AAAA' } },
  }
  const [read] = readExports(JSON.stringify(file))
  if (!read) throw new Error('Nothing was read.')
  return read
}

describe('an exported conversation', () => {
  it('has nothing running when it is read, and makes this host listen to no server', () => {
    const under = { progress: { progress: 1 }, overdue: { since: 1, why: 'silent', after: 1 }, cancelling: true }
    const { file, warnings } = read({
      messages: [{ ...message, status: 'streaming', parts: [resource] }],
      toolCalls: [{ ...toolCall, status: 'running', ...under }],
    })
    expect(warnings).toEqual([])
    expect(file.messages[0]?.status).toBe('interrupted')
    const { before: _before, changedSince: _changed, ...part } = resource
    expect(file.messages[0]?.parts).toEqual([{ ...part, subscribed: false }])
    expect(file.toolCalls).toEqual([{ ...toolCall, status: 'interrupted', imported: true }])
  })

  it('refers to no content outside the file, and says how much is missing', () => {
    const whole = blob('2'.repeat(64))
    const { file, warnings } = read({
      messages: [{ ...message, parts: [{ type: 'text', text: 'Hi', whole }] }],
      toolCalls: [{ ...toolCall, result: { isError: false, content: [{ type: 'image', blob: whole }], warnings: [] } }],
    })
    expect(warnings).toEqual(['2 contents are not in the file.'])
    expect(file.messages[0]?.parts).toEqual([{ type: 'text', text: 'Hi' }])
    expect(file.toolCalls[0]?.result?.content).toMatchObject([{ type: 'unknown', kind: 'image' }])
  })

  it.each([
    [
      'a record that no window could be told',
      { messages: [{ ...message, parts: [{ type: 'text', text: 'x'.repeat(70_000) }] }] },
    ],
    ['a message twice', { messages: [message, message] }],
    ['a picture from elsewhere as an icon', { messages: [{ ...message, parts: [linkWith('https://icons.example/a.png')] }] }],
    ['content of an unknown kind', { messages: [{ ...message, parts: [{ type: 'content', content: { type: 'app' } }] }] }],
  ])('is refused with %s', (_what, parts) => {
    expect(() => read(parts)).toThrow(/This is not a conversation|twice/)
  })
})

function linkWith(src: string) {
  return { type: 'content', content: { type: 'resource_link', uri: 'file:///a', name: 'a', icons: [{ src }] } }
}
