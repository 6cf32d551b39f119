import { describe, expect, it } from 'vitest'
import { diffKinds } from './diff-kinds.ts'

const kinds = (code: string) => diffKinds(code).map(({ kind }) => kind)

describe('a difference written by a model', () => {
  it('is classified line by line', () => {
    const code = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f()\n same\n-old\n+new'
    expect(kinds(code)).toEqual(['about', 'about', 'about', 'place', 'same', 'removed', 'added'])
    expect(
      diffKinds(code)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(code)
  })

  it('may consist of signs alone, and may remove lines that begin with dashes', () => {
    expect(kinds('- one\n+ two\nthree')).toEqual(['removed', 'added', 'same'])
    expect(kinds('@@ -1 +1 @@\n--- a comment\n+++ another\n--- a/next')).toEqual(['place', 'removed', 'added', 'about'])
  })
})
