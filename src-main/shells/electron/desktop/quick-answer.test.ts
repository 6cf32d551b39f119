import { describe, expect, it } from 'vitest'
import type { ConsentCall } from '../../../../src-shared/contract/consent.ts'
import type { Interaction } from '../../../../src-shared/contract/interactions.ts'
import { quickAnswer } from './quick-answer.ts'

const call = {
  ...{ toolCallId: 'c1', serverId: 's', serverName: 'files', tool: 'read_file', title: 'Read', description: '' },
  ...{ arguments: { json: '{"path":"notes/a.md"}' }, hints: {}, fingerprint: 'f', powers: ['reads'], known: 'published' },
  ...{ why: 'You decide.', guards: [] },
} as unknown as ConsentCall

const asked = (...calls: ConsentCall[]) =>
  ({
    id: 'q',
    kind: 'tool-consent',
    question: { calls, offers: [{ id: 'o', label: 'always', scope: 'always' }] },
  }) as unknown as Interaction
const withArgs = (json: string) => asked({ ...call, arguments: { json } })

describe('an answer from a notification', () => {
  it('is possible for one mild call shown whole, and Allow is once and makes no rule', () => {
    expect(quickAnswer(asked(call))).toEqual({
      title: 'Run read_file on files?',
      body: '{"path":"notes/a.md"}',
      allow: { id: 'q', kind: 'tool-consent', answer: { decision: 'allow', calls: ['c1'] } },
      deny: { id: 'q', kind: 'tool-consent', answer: { decision: 'deny' } },
    })
    expect(quickAnswer(withArgs('{}'))?.body).toBe('No arguments.')
  })

  it.each(['destroys', 'sends', 'spends'] as const)('is never possible for a call that %s', (power) => {
    expect(quickAnswer(asked({ ...call, powers: ['reads', power] }))).toBeUndefined()
  })

  it.each<[string, Interaction]>([
    ['of a tool of which nothing is known', asked({ ...call, powers: [] })],
    ['that a guard holds up', asked({ ...call, guards: [{ guard: 'outside', text: 'Outside.' }] })],
    ['whose tool changed', asked({ ...call, changed: { now: '{}' } })],
    ['whose arguments nobody could check', asked({ ...call, unchecked: 'no schema' })],
    ['whose arguments travel as headers', asked({ ...call, mirrored: ['path'] })],
    ['beside another', asked(call, { ...call })],
    ['that is cut', asked({ ...call, arguments: { json: '{"a":1}', whole: { blob: '0', bytes: 9, mimeType: 'x/y' } } })],
    ['with long arguments', withArgs(`{"a":"${'x'.repeat(120)}"}`)],
    ['with a line break', withArgs('{\n"a":1}')],
    ['with turned text', withArgs('{"a":"\u202e"}')],
    ['with unseen characters', withArgs('{"a":"\u200b"}')],
    ['with letters that run the other way', withArgs('{"a":"\u05d0"}')],
    ['with letters that pass for others', withArgs('{"a":"p\u0430ypal"}')],
    ['with markup', withArgs('{"a":"<b>"}')],
    ['with an entity', withArgs('{"a":"&lt;"}')],
    ['with room to push something out of sight', withArgs('{"a":"      "}')],
    ['of a long name', asked({ ...call, tool: 't'.repeat(60) })],
    ['of a server that hides its name', asked({ ...call, serverName: 'fi\u00adles' })],
  ])('is never possible for a call %s', (_what, interaction) => {
    expect(quickAnswer(interaction)).toBeUndefined()
  })

  it('is never possible for a question of another kind', () => {
    expect(quickAnswer({ ...asked(call), kind: 'server-trust' } as unknown as Interaction)).toBeUndefined()
  })
})
