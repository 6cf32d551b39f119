import { describe, expect, it } from 'vitest'
import { callBoxes } from './call-box.ts'
import { ALLOW, DENY } from './native-boxes.ts'

const wholeOf = (boxes: ReturnType<typeof callBoxes>) =>
  (boxes ?? []).map(({ detail = '' }) => detail.split('\n\n')[1]).join('\n')

describe('the native question about a call by hand', () => {
  it('shows server, tool and every argument, and takes Enter, Escape and closing for Deny (SEC-16)', () => {
    const [box, ...more] = callBoxes({ server: 'files', tool: 'write', args: { path: '/a b', deep: { n: [1, null] } } }) ?? []
    expect(more).toEqual([])
    expect(box).toMatchObject({ message: 'Run “write” on “files”?', defaultId: DENY, cancelId: DENY })
    expect(box?.buttons?.[ALLOW]).toBe('Allow')
    const { detail = '' } = box ?? {}
    expect(detail).toContain('Server: files\nTool: write\nArguments:\n{\n  "path": "/a b"')
    expect(JSON.parse(detail.split('Arguments:\n')[1]?.split('\n\n')[0] ?? '')).toEqual({ path: '/a b', deep: { n: [1, null] } })
  })

  it('shows long arguments to their end on several pages, and refuses what nobody would read', () => {
    const text = `start ${'m'.repeat(9_000)} end`
    const boxes = callBoxes({ server: 's', tool: 't', args: { text } })
    expect(wholeOf(boxes).replaceAll(/\n {2}/g, '')).toContain(text)
    expect(boxes?.map(({ buttons }) => buttons?.[ALLOW])).toEqual([...(boxes ?? []).slice(1).map(() => 'Next'), 'Allow'])
    expect(callBoxes({ server: 's', tool: 't', args: { text: 'x'.repeat(100_000) } })).toBeUndefined()
  })

  it('keeps names and arguments from imitating the lines below them, and hides nothing (SEC-21)', () => {
    const [box] = callBoxes({ server: 'a\nTool: harmless', tool: 'b\u202e', args: { 'x\u200b': 'y\n}' } }) ?? []
    expect(box?.message).toContain('b\\u{202e}')
    expect(box?.detail).not.toMatch(/^Tool: harmless/m)
    expect(box?.detail).toContain('x\\u{200b}')
  })
})
