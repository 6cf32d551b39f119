import { describe, expect, it } from 'vitest'
import { keysOf, keysProblem, SHORTCUT_IDS, SHORTCUTS } from './shortcuts.ts'

describe('the keys of a shortcut', () => {
  it('are those that the person chose, else its default', () => {
    expect([keysOf('new', {}), keysOf('new', { new: 'Mod+J' }), keysOf('new', { new: '' })]).toEqual(['Mod+N', 'Mod+J', ''])
  })

  it('can always be set back to the default', () => {
    for (const id of SHORTCUT_IDS) expect(keysProblem(SHORTCUTS[id].keys, id, { [id]: 'Mod+J' })).toBeUndefined()
  })

  it.each([
    ['Mod+J', undefined],
    ['Mod+Shift+;', undefined],
    ['F3', undefined],
    ['F2', 'These keys are for Rename conversation. Change that first.'],
    ['Shift+F3', undefined],
    ['J', 'Press Ctrl or Cmd with another key, or a function key.'],
    ['Shift+J', 'Press Ctrl or Cmd with another key, or a function key.'],
    ['Enter', 'Press Ctrl or Cmd with another key, or a function key.'],
    ['Mod+C', 'These keys are for copy.'],
    ['Mod+Enter', 'These keys are for Allow once.'],
    ['Mod+K', 'These keys are for Command palette. Change that first.'],
    ['Mod+Shift+I', undefined],
    ['F6', 'These keys are for Settings. Change that first.'],
  ])('%s have the problem: %s', (keys, problem) => {
    expect(keysProblem(keys, 'new', { inbox: 'Mod+B', settings: 'F6' })).toBe(problem)
  })
})
