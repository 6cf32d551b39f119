import { describe, expect, it } from 'vitest'
import { formatsOnly } from './read-markup.ts'

describe('a text that is shown as a page', () => {
  it.each([
    'We fire on <b>Fridays</b>, 3 < 4.',
    '<img src="https://a.example/x.png" alt="x"> <a href="#top">up</a> <br/>',
    '[home](/a) [mail](mailto:ana@a.example) <https://a.example>',
    'Use `Array<string>`:\n```html\n<script>x</script>\n```\n',
  ])('only formats: %j', (text) => {
    expect(formatsOnly(text, true)).toBe(true)
  })

  it.each([
    '<script src="https://a.example/p.js"></script>',
    '<SCRIPT>x',
    '<b onclick="x">b</b>',
    '<img src=x onerror=x>',
    '<a href="javascript:x">a</a>',
    '<iframe src="https://a.example">',
    '<svg/onload=x>',
    '[a](javascript:x)',
    '[a]: data:text/html,x',
    '```\n```\n<script>x</script>',
    '<my-part x="1">',
  ])('may do more: %j', (text) => {
    expect(formatsOnly(text, true)).toBe(false)
  })

  it('has no code known to be one where only a part of it is seen', () => {
    expect(formatsOnly('```\n<script>x</script>\n```', false)).toBe(false)
  })
})
