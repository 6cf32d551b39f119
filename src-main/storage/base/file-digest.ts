import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Larger files would make each start of a server slow. */
const MAX_BYTES = 256 * 1024 * 1024

/** SHA-256 of a regular file in lower-case hex; null when it is no regular file, is too large, or cannot be read. */
export async function fileDigest(file: string): Promise<string | null> {
  try {
    const found = await stat(file)
    if (!found.isFile() || found.size > MAX_BYTES) return null
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } catch {
    return null
  }
}
