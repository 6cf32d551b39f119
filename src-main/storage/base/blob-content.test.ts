import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { turnsWhile } from '../../../e2e/support/turns-while.ts'
import { hashPieces, piecesOf } from './blob-content.ts'

const MIB = 1024 * 1024

it.each([
  ['', 1],
  ['short', 2],
  ['x'.repeat(3 * MIB), MIB],
  ['€'.repeat(MIB), MIB - 1],
  ['y'.repeat(2 * MIB + 1), 100_000],
])('content has one name as a text, as bytes and in pieces (%#)', async (text, size) => {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  const name = { blob: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
  for (const content of [text, bytes, pieces]) expect(await hashPieces(piecesOf(content))).toEqual(name)
})

it('other work runs while large content is hashed', async () => {
  expect(await turnsWhile(() => hashPieces([Buffer.alloc(20 * MIB)]))).toBeGreaterThanOrEqual(19)
})
