import { expect, it } from 'vitest'
import { hexLines } from './hex-lines.ts'

it('bytes are shown as numbers and plain letters, and control characters as dots', () => {
  const lines = hexLines(`${Buffer.from('MZ\x00\x1b[2J').toString('hex')}${'ff'.repeat(16)}`)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toBe('000000  4d 5a 00 1b 5b 32 4a ff ff ff ff ff ff ff ff ff  MZ··[2J·········')
  expect(lines[1]?.startsWith('000010  ff ff')).toBe(true)
})
