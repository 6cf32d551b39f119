import { describe, expect, it } from 'vitest'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { allowing, areGrave, groupsOf, markedIn, serversOf, sharedReason, withSharedWarnings } from './consent-calls.ts'
import { readConsentDraft } from './consent-draft.ts'

const call = (id: string, change: Partial<ConsentCall> = {}): ConsentCall => ({
  toolCallId: id as ToolCallId,
  serverId: 'fs' as ServerId,
  serverName: 'filesystem',
  tool: 'read',
  title: 'read',
  description: '',
  arguments: { json: '{}' },
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  fingerprint: 'f',
  powers: ['reads'],
  known: 'named',
  order: [],
  why: 'No rule covers it.',
  guards: [],
  ...change,
})
const git = { serverId: 'git' as ServerId, serverName: 'git' }

describe('the calls of a question', () => {
  it('are grouped by tool and server, in the order of the first of each', () => {
    const calls = [call('1'), call('2', { tool: 'write' }), call('3'), call('4', git)]
    expect(groupsOf(calls).map((group) => group.calls.map(({ toolCallId }) => toolCallId))).toEqual([['1', '3'], ['2'], ['4']])
    expect(serversOf(calls)).toEqual(['filesystem', 'git'])
  })

  it('are allowed when ticked, with the chosen rule; without a tick there is no answer', () => {
    const calls = [call('1'), call('2')]
    expect(allowing(calls, ['1' as ToolCallId], 'conversation')).toEqual({
      decision: 'allow',
      calls: ['2'],
      offer: 'conversation',
    })
    expect(allowing(calls, [])).toEqual({ decision: 'allow', calls: ['1', '2'] })
    expect(allowing(calls, ['1', '2'] as ToolCallId[], 'always')).toBeUndefined()
  })

  it('have a reason in common only where it is that of all', () => {
    expect(sharedReason([call('1'), call('2')])).toBe('No rule covers it.')
    expect(sharedReason([call('1'), call('2', { why: 'Your rule says to ask.' })])).toBeUndefined()
  })

  it('say once a warning that all of them have with the same sources, and one that names an argument at its call', () => {
    const changed = { guard: 'changed' as const, text: 'It has changed.' }
    const outside = { guard: 'outside' as const, text: 'Outside.', argument: 'path' }
    const burst = { guard: 'burst' as const, text: 'Many.' }
    const flow = { guard: 'flow' as const, text: 'It may hold private data.', sources: ['a', 'b'] }
    const elsewhere = { guard: 'flow' as const, text: '“X-12345” comes from private data.', sources: ['a'] }
    const own = [
      call('1', { guards: [changed, outside, burst, flow, elsewhere] }),
      call('2', { guards: [outside, changed, { ...flow, sources: ['a', 'b'] }, { ...elsewhere, sources: ['b'] }] }),
    ]
    const { warnings, calls } = withSharedWarnings(own)
    expect(warnings).toEqual([changed, flow])
    expect(calls.map(({ guards }) => guards)).toEqual([
      [outside, burst, elsewhere],
      [outside, { ...elsewhere, sources: ['b'] }],
    ])
    expect(withSharedWarnings(own.slice(0, 1))).toEqual({ warnings: [], calls: own.slice(0, 1) })
  })

  it('mark the arguments that a warning names, and destructive powers', () => {
    const guards = [
      { guard: 'outside' as const, text: 'Outside.', argument: 'path' },
      { guard: 'burst' as const, text: 'Many.' },
    ]
    expect(markedIn({ guards })).toEqual(['path'])
    expect(areGrave([call('1'), call('2', { powers: ['reads', 'destroys'] })])).toBe(true)
    expect(areGrave([call('1', { powers: ['changes', 'spends'] })])).toBe(true)
    expect(areGrave([call('1', { powers: ['changes', 'sends'] })])).toBe(false)
    expect(areGrave([call('1', { powers: ['changes'], grave: true })])).toBe(true)
  })

  it('accept only names of calls and typed arguments from the stored draft', () => {
    expect(readConsentDraft(undefined)).toEqual({ unticked: [] })
    expect(readConsentDraft({ unticked: { 1: 'x' }, typed: ['x'] })).toEqual({ unticked: [] })
    expect(readConsentDraft({ unticked: ['1', 2, null], typed: '{"a":' })).toEqual({ unticked: ['1'], typed: '{"a":' })
    expect(readConsentDraft({ typed: { a: 'x', b: 2, c: ['y'] } })).toEqual({ unticked: [], typed: { a: 'x', c: ['y'] } })
  })
})
