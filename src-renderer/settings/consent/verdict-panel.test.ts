import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Touch, VerdictView } from '../../../src-shared/contract/consent.ts'
import { VerdictPanel } from './VerdictPanel.tsx'

const verdict: VerdictView = {
  is: 'ask',
  why: 'It needs no rule, but a warning stops it.',
  powers: ['reads'],
  known: 'published',
  touches: [],
  guards: [{ guard: 'outside', text: 'It is outside.' }],
  offers: [{ id: 'task', scope: 'task', label: 'Allow reads until this reply ends' }],
}
const shown = (change: Partial<VerdictView> = {}, rule?: string) =>
  renderToStaticMarkup(
    createElement(VerdictPanel, { verdict: { ...verdict, ...change }, rule, conversationId: undefined }),
  ).replace(/<[^>]*>/g, ' ')

describe('the preview of a verdict', () => {
  it('has a word, a reason, the warnings, the powers and the offers', () => {
    expect(shown()).toMatch(
      /Asked\s+It needs no rule, but a warning stops it\..*It is outside\..*Powers\s+Reads.*Reaches\s+None.*until this reply ends/,
    )
    expect(shown({ is: 'allow', guards: [], offers: [] }, 'shop reads')).toMatch(/Allowed .*Rule\s+shop reads/)
    expect(shown({ is: 'deny' })).toContain('Denied')
  })

  it.each<[Touch, RegExp]>([
    [{ is: 'path', argument: 'a', value: 'x', path: '/srv/x' }, /Path\s+\/srv\/x/],
    [{ is: 'path', argument: 'a', value: '$HOME/x' }, /Path\s+\$HOME\/x \(unknown\)/],
    [{ is: 'host', argument: 'a', value: 'https://h.example/p', host: 'h.example' }, /Host\s+h\.example/],
    [{ is: 'recipient', argument: 'a', value: 'me@h.example', written: 'Me@h.example' }, /Recipient\s+Me@h\.example/],
    [{ is: 'statement', argument: 'a', value: '…', verb: 'delete', tables: ['x', 'y'] }, /SQL\s+delete x, y/],
    [{ is: 'command', argument: 'a', value: '…', words: 'npm test' }, /Command\s+npm test/],
    [{ is: 'amount', argument: 'a', value: '5', amount: 5 }, /Amount\s+5/],
    [{ is: 'item', argument: 'a', value: '12' }, /Known item\s+12/],
    [{ is: 'option', argument: 'a', value: 'true' }, /Option\s+true/],
    [{ is: 'value', argument: 'a', value: 'v' }, /Value\s+v/],
  ])('names the reach of a call: $is', (touch, words) => {
    expect(shown({ touches: [touch] })).toMatch(words)
  })
})
