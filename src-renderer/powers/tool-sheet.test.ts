import { describe, expect, it } from 'vitest'
import type { Power, ToolPowersView } from '../../src-shared/contract/consent.ts'
import { choicesFor, guessOf, lookedAt, telling, toldBefore } from './tool-sheet.ts'

const view = (tool: string, powers: readonly Power[], more: Partial<ToolPowersView> = {}): ToolPowersView => ({
  ...{ tool, fingerprint: `${tool}-print`, powers, known: 'named', mayOnlyRead: false },
  guess: { powers, known: 'named' },
  ...more,
})
const ALL: readonly Power[] = ['reads', 'brings-in', 'changes', 'destroys', 'sends']
const reader = view('get_page', ['reads', 'brings-in'], { mayOnlyRead: true })
const sender = view('send_mail', ['reads', 'changes', 'sends'])
const unclear = view('pages', ALL, { guess: { powers: ALL, known: 'unknown' }, mayOnlyRead: true })
const open = (tool: ToolPowersView) =>
  choicesFor(tool)
    .flatMap(({ key, held }) => (held ? [] : key))
    .join('')

describe('the sheet of tools', () => {
  it('suggests the gravest power in a name, and none where it says nothing', () => {
    expect([reader, sender, unclear].map(guessOf)).toEqual(['reads', 'sends', undefined])
  })

  it('offers graver powers than the name says, and reading only where that is believed', () => {
    expect([reader, sender, unclear].map(open)).toEqual(['rcsdp', 'sdp', 'rcsdpu'])
    expect(open({ ...unclear, mayOnlyRead: false })).toBe('csdpu')
  })

  it('keeps the choice, else the guess, each with the definition that was seen', () => {
    expect(telling([reader, unclear], new Map([['pages', 'reads']]))).toEqual({
      get_page: { fingerprint: 'get_page-print', powers: ['reads', 'brings-in'] },
      pages: { fingerprint: 'pages-print', powers: ['reads', 'brings-in'] },
    })
    expect(telling([unclear], new Map())).toEqual({ pages: { fingerprint: 'pages-print', powers: ALL } })
  })

  it('opens with earlier answers, and decides nothing about new tools when postponed', () => {
    const told = { ...unclear, told: ['reads', 'brings-in'] as const }
    expect([...toldBefore([reader, { ...sender, told: sender.guess.powers }, told])]).toEqual([['pages', 'reads']])
    expect(lookedAt([reader, told])).toEqual({
      get_page: { fingerprint: 'get_page-print' },
      pages: { fingerprint: 'pages-print', powers: ['reads', 'brings-in'] },
    })
  })
})
