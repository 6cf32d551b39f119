import { expect, it } from 'vitest'
import { answeringHost } from '../../e2e/test-hosts/answering-host.ts'
import { readWhole } from './read-text.ts'

const whole = { blob: 'b'.repeat(64), bytes: 6, mimeType: 'text/plain' }

it('a long text is read page by page to its end, and a complete one is not requested', async () => {
  const text = 'abcdef'
  const asked = answeringHost({
    'blob.text': ({ offset }) => ({
      text: text.slice(offset, offset + 2),
      ...(offset + 2 < text.length && { next: offset + 2 }),
    }),
  })
  expect(await readWhole([{ text: '1 ' }, { text: 'ab …', whole }, { text: ' 2' }])).toBe('1 abcdef 2')
  expect(asked.map(({ params }) => params)).toEqual([0, 2, 4].map((offset) => ({ blob: whole.blob, offset })))
})

it('a text is given up when one of its pages cannot be read', async () => {
  answeringHost({})
  await expect(readWhole([{ text: 'ab …', whole }])).rejects.toThrow('Not answered: blob.text')
})
