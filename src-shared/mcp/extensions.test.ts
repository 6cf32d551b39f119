import { describe, expect, it } from 'vitest'
import { extensionName, isExtensionId } from './extensions.ts'

describe('an extension', () => {
  it.each(['io.modelcontextprotocol/ui', 'com.example/x', 'a/1', 'a-b.c/x.y_z-1'])('may be called %s (EXT-3)', (id) => {
    expect(isExtensionId(id)).toBe(true)
  })

  it.each(['ui', '', '/x', 'a/', 'a//x', '1a/x', 'a./x', '-a/x', 'a/-x', 'a/x-', 'a b/x', `a/${'x'.repeat(300)}`])(
    'may not be called “%s” (EXT-3)',
    (id) => {
      expect(isExtensionId(id)).toBe(false)
    },
  )

  it('has a name only if it is a published one', () => {
    expect(extensionName('io.modelcontextprotocol/ui')).toBe('MCP Apps')
    expect(extensionName('com.example/x')).toBeUndefined()
    expect(extensionName('toString')).toBeUndefined()
  })
})
