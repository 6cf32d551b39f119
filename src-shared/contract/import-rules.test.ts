import { describe, expect, it } from 'vitest'
import { inputProblem } from './import-rules.ts'
import type { ImportInput } from './imports.ts'

const input = (more: Partial<ImportInput>): ImportInput => ({ id: 'a', label: 'A', secret: false, ...more })

describe('an input of a review', () => {
  it.each<[string, Partial<ImportInput>, string]>([
    ['1', { kind: 'number', least: 2, most: 9 }, 'At least 2'],
    ['10', { kind: 'number', least: 2, most: 9 }, 'At most 9'],
    ['two', { kind: 'number' }, 'A number'],
    [' ', { kind: 'number' }, 'A number'],
    ['yes', { kind: 'boolean' }, 'Yes or no'],
    ['notes', { kind: 'folder' }, 'The whole path'],
    ['./list', { kind: 'file' }, 'The whole path'],
    ['/a\nb', { kind: 'folder', several: true }, 'The whole path'],
    ['c', { choices: ['a', 'b'] }, 'Choose one from the list'],
    ['', {}, 'Required'],
  ])('cannot be %j as %j (MCPB-13, REG-8)', (value, more, problem) => {
    expect(inputProblem(input(more), value)).toBe(problem)
  })

  it.each<[string, Partial<ImportInput>, string]>([
    ['-x', { alone: true }, 'begins with “-”'],
    ['a\n--require=/x.js', { alone: true, several: true }, 'begins with “-”'],
    ['a\nb', {}, 'One line only'],
    ['a\rb', { several: true }, 'One line only'],
    ['a\0b', {}, 'NUL character'],
  ])('cannot be %j, which a program would take for more than one value (MCPB-12)', (value, more, problem) => {
    expect(inputProblem(input(more), value)).toContain(problem)
  })

  it.each<[string, Partial<ImportInput>]>([
    ['9', { kind: 'number', least: 2, most: 9 }],
    ['-3', { kind: 'number', alone: true }],
    ['true', { kind: 'boolean' }],
    ['C:\\Notes', { kind: 'folder' }],
    ['/a\n/b', { kind: 'folder', several: true }],
    ['b', { choices: ['a', 'b'] }],
    ['', { optional: true }],
    ['', { default: 'a' }],
    ['a -b; c', { alone: true }],
  ])('can be %j as %j (MCPB-13)', (value, more) => {
    expect(inputProblem(input(more), value)).toBeUndefined()
  })
})
