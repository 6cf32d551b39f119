import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ArgumentValue } from '../ArgumentsTable.tsx'
import { cutForDiff, firstLines } from './first-lines.ts'
import { LongText } from './LongText.tsx'

describe('the first lines of a text', () => {
  it('leave twenty lines open and fold the twenty-first', () => {
    const twenty = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    expect(firstLines(twenty)).toBe(twenty)
    expect(firstLines(`${twenty}\nline 20`)).toBe(twenty)
  })

  it('fold one endless line', () => {
    expect(firstLines('x'.repeat(5000))).toHaveLength(4000)
    expect(firstLines('a\nb\nc', 2, 100)).toBe('a\nb')
  })

  it('offer no rest that is blank', () => {
    const eight = 'line\n'.repeat(8)
    const offer = (value: string) => renderToStaticMarkup(createElement(ArgumentValue, { value })).includes('Show all')
    expect([offer(eight), offer(`${eight}\r\n \t`), offer(`${eight}\n\u200b`)]).toEqual([false, false, true])
    const twenty = 'line\n'.repeat(20)
    const folds = (text: string) => renderToStaticMarkup(createElement(LongText, { content: { text } })).includes('Show all')
    expect([folds(twenty), folds(`${twenty}more`)]).toEqual([false, true])
    expect(cutForDiff('a\nb\n', 2, 100)).toBe('a\nb')
  })
})
