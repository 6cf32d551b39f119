import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

/** A snippet with `{…}` around each match. */
const read = (snippet: string) => excerptOf(snippet.replaceAll('{', '\u0002').replaceAll('}', '\u0003'))

describe('an excerpt of a message', () => {
  it.each([
    ['**The {plan}** is *short*, ~~not~~ **{here}**', 'The plan is short, not here', ['plan', 'here']],
    ['## {Plan}\n> a quote\n- one\n  * two', 'Plan\na quote\none\ntwo', ['Plan']],
    ['Call `{read}_file` or ``a `{b}` c``.', 'Call read_file or a `b` c.', ['read', 'b']],
    ['See [the {plan}](https://example.com/plan) and ![a {map}](map.png).', 'See the plan and a map.', ['plan', 'map']],
    ['| day | {plan} |\n|-----|:----:|\n| Mo | rest |', '| day | plan |\n| Mo | rest |', ['plan']],
    ['Run:\n```sh\n{npm} test\n```\nDone.', 'Run:\nnpm test\nDone.', ['npm']],
    ['a **[{link}](x) and `code`** end', 'a link and code end', ['link']],
  ])('has no Markdown in place of %j', (snippet, excerpt, marked) => {
    const got = read(snippet)
    expect(got.excerpt).toBe(excerpt)
    expect(got.marks.map(([from, to]) => got.excerpt.slice(from, to))).toEqual(marked)
  })

  it.each([
    '{read}_file and __init__',
    '2*3*4 {is} 24, 5 * 6 * 7 is 210',
    'def f(*{args}, **kwargs):',
    '#{tag} and C#, a > b, -{5}',
    '…end** of what was cut, **{begin}…',
    '[ ] not [a {link}] (here)',
    '[text](https://{example}.com)',
    '```{python}\ncode',
  ])('keeps %j as it is', (snippet) => {
    expect(read(snippet).excerpt).toBe(snippet.replaceAll(/[{}]/g, ''))
  })

  it('keeps stars in code', () => {
    expect(read('`a *{b}* c` *d*').excerpt).toBe('a *b* c d')
  })

  it.each(['*', '**a', '[', '](', '`', '> ', '- ', '#', '|', '~~x', '\u0002', '[a]('])('takes 200,000 times %j', (piece) =>
    expect(excerptOf(piece.repeat(200_000)).excerpt.length).toBeLessThanOrEqual(piece.length * 200_000),
  )
})
