import { expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

it('takes the marks off Markdown and leaves code as it is', () => {
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
  expect(plainText(markdown)).toBe(
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
