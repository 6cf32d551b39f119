import { expect, it } from 'vitest'
import { markdownAsPlainText } from './plain-text.ts'

it('Markdown loses its marks, and code keeps its own', () => {
  const markdown = [
    '## What **was** found',
    '',
    '- `totals()` in [the note](https://example.com/n), *twice*',
    '* snake_case_name and 2 * 3 * 4',
    '> as _they_ said',
    '',
    '| month | sold |',
    '| --- | ---: |',
    '| May | 1,204 |',
    '',
    '```ts',
    'const a = **b**',
    '```',
  ].join('\n')
  expect(markdownAsPlainText(markdown)).toBe(
    [
      'What was found',
      '',
      '- totals() in the note (https://example.com/n), twice',
      '- snake_case_name and 2 * 3 * 4',
      'as they said',
      '',
      'month\tsold',
      'May\t1,204',
      '',
      'const a = **b**',
    ].join('\n'),
  )
})

it.each([
  ['Edit `__init__.py` and `*.ts` or `*.js`', 'Edit __init__.py and *.ts or *.js'],
  ['the field foo__bar__baz of __all__', 'the field foo__bar__baz of all'],
  ['``a `b` c`` in [`x`](https://e.example/)', 'a `b` c in x (https://e.example/)'],
  ['````md\n```\n**a**\n```\n````\n**b**', '```\n**a**\n```\nb'],
])('code keeps its marks: %j', (markdown, plain) => {
  expect(markdownAsPlainText(markdown)).toBe(plain)
})
