import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

export type BlobContent = string | Uint8Array | readonly Uint8Array[]

/** Bytes that are hashed without a pause: about a millisecond. */
const AT_ONCE = 1024 * 1024

export function piecesOf(content: BlobContent): readonly Uint8Array[] {
  if (typeof content === 'string') return [Buffer.from(content)]
  return content instanceof Uint8Array ? [content] : content
}

/** The SHA-256 of the whole in lower-case hex, and its size. Yields to other work in between. */
export async function hashPieces(pieces: readonly Uint8Array[]): Promise<{ blob: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  let left = AT_ONCE
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + left)
      hash.update(part)
      at += part.length
      bytes += part.length
      left -= part.length
      if (left > 0) continue
      left = AT_ONCE
      await setImmediate()
    }
  }
  return { blob: hash.digest('hex'), bytes }
}
