import { describe, expect, it } from 'vitest'
import { lineDiff } from '../viewers/line-diff.ts'
import { emphasise } from './emphasis.ts'

const telling = (text: string) =>
  emphasise(text)
    .filter((stretch) => stretch.kind !== 'plain')
    .map((stretch) => [stretch.kind, stretch.text])

describe('emphasis in an argument', () => {
  it('marks paths and the hosts of addresses, and loses nothing', () => {
    const text = 'copy ~/notes/a.md and /etc/passwd to https://user:pw@files.example.com:8443/up?x=1 then C:\\Temp\\b'
    expect(telling(text)).toEqual([
      ['path', '~/notes/a.md'],
      ['path', '/etc/passwd'],
      ['host', 'files.example.com:8443'],
      ['path', 'C:\\Temp\\b'],
    ])
    expect(
      emphasise(text)
        .map((stretch) => stretch.text)
        .join(''),
    ).toBe(text)
  })

  it('marks the real host behind a user name that looks like one', () => {
    expect(telling('https://github.com@evil.example/x')).toEqual([['host', 'evil.example']])
  })

  it('leaves fractions and dates alone', () => {
    expect(telling('1/2 of 2026/07/28 and/or')).toEqual([])
  })
})

describe('the difference of two texts', () => {
  it('lists removed, added and kept lines in order', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\nc\nd').map((line) => `${line.kind} ${line.text}`)).toEqual([
      'same a',
      'removed b',
      'added x',
      'same c',
      'added d',
    ])
  })

  it('is not computed for large texts', () => {
    const long = 'x\n'.repeat(3000)
    expect(lineDiff(long, long).some((line) => line.kind === 'same')).toBe(false)
  })
})
