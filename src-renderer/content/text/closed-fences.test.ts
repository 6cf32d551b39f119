import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './Markdown.tsx'

/** A page of a model can be previewed only when it is complete. */
const whole = (text: string) => renderToStaticMarkup(createElement(Markdown, { text })).includes('Preview')

describe('fenced code', () => {
  it('is complete with its end, even in lists and quotes', () => {
    expect(whole('```html\n<p>\n```')).toBe(true)
    expect(whole('~~~~html\n<p>\n```\n~~~~')).toBe(true)
    expect(whole('- item\n\n  ```html\n  <p>\n  ```')).toBe(true)
    expect(whole('> ```html\n> <p>\n> ```')).toBe(true)
  })

  it('is incomplete while it grows', () => {
    expect(whole('```html\n<p>')).toBe(false)
    expect(whole('```html\n<p>\n``')).toBe(false)
    expect(whole('````html\n<p>\n```')).toBe(false)
    expect(whole('- ```html\n  <p>')).toBe(false)
  })
})
