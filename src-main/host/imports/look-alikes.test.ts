import { expect, it } from 'vitest'
import { lookAlike } from './look-alikes.ts'

it.each([
  ['io.github.anm/notes', 'two edits'],
  ['i0.github.ann/notes', 'a digit for a letter'],
  ['io.github.ann-official/notes', 'a word that says nothing'],
  ['io.github-ann/no-tes', 'punctuation'],
  ['io.github.ANN1/notes', 'a character more'],
])('the name %s looks like another one: %s (REG-14)', (name) => {
  expect(lookAlike(name, ['com.example/other', 'io.github.ann/notes'])).toBe('io.github.ann/notes')
})

it.each(['io.github.ann/notez', 'io.github.robert/notes', 'com.example/calendar', 'io.github.ann/notes'])(
  'the name %s looks like no other, since it differs enough or is its publisher’s own (REG-14)',
  (name) => {
    expect(lookAlike(name, ['io.github.ann/notes'])).toBeUndefined()
  },
)
