import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DataFolder } from '../base/data-folder.ts'
import { fileNamesIn } from '../base/json-file.ts'
import { BACKUP_FORMAT, BACKUP_VERSION, type Manifest, markOf, PARTS } from './manifest.ts'
import { MAX_TAR_SIZE, TAR_END, tarHeader, tarPadding } from './tar.ts'

interface Sources {
  readonly folder: DataFolder
  readonly database: string
  readonly servers?: Buffer
  readonly secrets?: Buffer
  readonly folderKey: Uint8Array
  readonly by: string
  readonly at: number
  readonly signal: AbortSignal
  onProgress(share: number): void
}

interface Part {
  readonly name: string
  readonly bytes: number
  readonly content: string | Buffer
}

/** Writes a .tar.gz: the manifest, then the parts that it lists. Streamed; returns its hash and size. */
export async function writeBackup(
  path: string,
  sources: Sources,
): Promise<{ sha256: string; bytes: number; blobsLeftOut: number }> {
  const { folder, database, servers, secrets, folderKey, by, at, signal, onProgress } = sources
  const { found, leftOut } = await listBlobs(folder.blobs, signal)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0) + (await stat(database)).size + 1
  // Everything is read twice: first for its hash in the manifest.
  let passed = 0
  const pass = (bytes: number) => {
    passed += bytes
    onProgress(Math.min(1, passed / (2 * total)))
  }
  const copy = await digest(database, signal, pass)
  const blobs: Part[] = []
  for (const blob of found) {
    const { sha256, bytes } = await digest(blob.content, signal, pass)
    if (sha256 === blob.name) blobs.push({ ...blob, name: `blobs/${sha256}`, bytes })
  }
  const unmarked: Manifest = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    by,
    at,
    mark: '',
    database: copy,
    ...(servers && { servers: digestOf(servers) }),
    ...(secrets && { secrets: digestOf(secrets) }),
    blobs: { count: blobs.length, bytes: blobs.reduce((sum, { bytes }) => sum + bytes, 0) },
  }
  const manifest = Buffer.from(`${JSON.stringify({ ...unmarked, mark: markOf(unmarked, folderKey) }, null, 2)}\n`)
  const small = (name: string, content: Buffer | undefined): Part[] => (content ? [{ name, bytes: content.length, content }] : [])
  const parts: Part[] = [
    ...small(PARTS.manifest, manifest),
    ...small(PARTS.servers, servers),
    ...small(PARTS.secrets, secrets),
    { name: PARTS.database, bytes: copy.bytes, content: database },
    ...blobs,
  ]
  const archiveHash = createHash('sha256')
  let bytes = 0
  await pipeline(
    Readable.from(archive(parts, Math.floor(at / 1000), pass)),
    // A low level: most content is text or compressed already, and speed matters more.
    createGzip({ level: 3 }),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        archiveHash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    { signal },
  )
  return { sha256: archiveHash.digest('hex'), bytes, blobsLeftOut: leftOut + found.length - blobs.length }
}

async function* archive(parts: readonly Part[], seconds: number, pass: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (const { name, bytes, content } of parts) {
    yield tarHeader(name, bytes, seconds)
    if (typeof content === 'string') {
      let read = 0
      // Not beyond the size in the header, in case the file grew.
      for await (const chunk of bytes === 0 ? [] : createReadStream(content, { end: bytes - 1 })) {
        read += chunk.length
        pass(chunk.length)
        yield chunk
      }
      if (read !== bytes) throw new Error(`${name} changed while it was read`)
    } else yield content
    yield tarPadding(bytes)
  }
  yield TAR_END
}

/** Sorted by name. Files with other names are not ours. */
async function listBlobs(folder: string, signal: AbortSignal) {
  const found: { name: string; bytes: number; content: string }[] = []
  let leftOut = 0
  for (const part of (await fileNamesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort()) {
    signal.throwIfAborted()
    for (const name of (await readdir(join(folder, part))).sort()) {
      if (!/^[0-9a-f]{64}$/.test(name) || !name.startsWith(part)) continue
      const content = join(folder, part, name)
      const { size } = await stat(content)
      if (size <= MAX_TAR_SIZE) found.push({ name, bytes: size, content })
      else leftOut += 1
    }
  }
  return { found, leftOut }
}

async function digest(
  path: string,
  signal: AbortSignal,
  pass: (bytes: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  const fileHash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { signal })) {
    fileHash.update(chunk)
    bytes += chunk.length
    pass(chunk.length)
  }
  return { sha256: fileHash.digest('hex'), bytes }
}

function digestOf(content: Buffer): { sha256: string; bytes: number } {
  return { sha256: hash('sha256', content), bytes: content.length }
}
