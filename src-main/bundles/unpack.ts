import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { BundleError } from './bundle-error.ts'
import { readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** The file at the root that says what a bundle is. */
const MANIFEST = 'manifest.json'
const MAX_MANIFEST = 1024 * 1024

interface UnpackedBundle {
  readonly manifest: string
  /** SHA-256 of the bundle in lower-case hex. */
  readonly sha256: string
  /** SHA-256 by path. */
  readonly files: Readonly<Record<string, string>>
  readonly bytes: number
  readonly signed: boolean
}

/**
 * Unpacks a bundle into an empty folder that only we can write, with each file synced and read-only. Nothing of it is run. Throws
 * BundleError; the caller removes the folder then.
 */
export async function unpackBundle(path: string, folder: string): Promise<UnpackedBundle> {
  await using file = await open(path, 'r')
  const { entries, signed } = await readZipDirectory(file)
  const manifest = entries.find((entry) => entry.path === MANIFEST)
  if (!manifest || manifest.folder) throw new BundleError('It has no manifest.json, so it is not a bundle.')
  if (manifest.unpacked > MAX_MANIFEST) throw new BundleError('Its manifest.json is larger than 1 MiB.')
  const files: Record<string, string> = Object.create(null)
  const folders = new Set<string>()
  let bytes = 0
  let text = ''
  for (const entry of entries) {
    const target = join(folder, entry.path)
    const parent = entry.folder ? target : dirname(target)
    if (!folders.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 })
    for (let at = parent; at !== folder && !folders.has(at); at = dirname(at)) folders.add(at)
    if (entry.folder) continue
    const kept: Buffer[] | undefined = entry === manifest ? [] : undefined
    files[entry.path] = await unpackEntry(path, entry, target, kept)
    bytes += entry.unpacked
    if (kept) text = utf8(Buffer.concat(kept))
  }
  // Folders are closed last, since files could not be made in them before.
  for (const one of [...folders].sort().reverse()) await chmod(one, 0o555)
  return { manifest: text, sha256: await digest(path), files, bytes, signed }
}

/** Writes the entry and gives its SHA-256. Its size, checksum and end must be as the directory says. */
async function unpackEntry(path: string, entry: ZipEntry, target: string, kept: Buffer[] | undefined): Promise<string> {
  const wrong = () => new BundleError(`It is damaged: “${entry.path}” does not match the directory of the ZIP file.`)
  const hash = createHash('sha256')
  let crc = 0
  let length = 0
  await using out = await open(target, 'wx', entry.executable ? 0o555 : 0o444)
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > entry.unpacked) throw wrong()
      crc = crc32(chunk, crc)
      hash.update(chunk)
      kept?.push(chunk)
      await out.writeFile(chunk)
    }
  }
  if (entry.packed > 0) {
    const packed = createReadStream(path, { start: entry.at, end: entry.at + entry.packed - 1 })
    if (!entry.deflated) await pipeline(packed, write)
    else {
      const inflate = createInflateRaw()
      try {
        await pipeline(packed, inflate, write)
      } catch (error) {
        throw isZlibError(error) ? wrong() : error
      }
      if (inflate.bytesWritten !== entry.packed) throw wrong()
    }
  }
  if (length !== entry.unpacked || crc !== entry.crc) throw wrong()
  await out.sync()
  return hash.digest('hex')
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new BundleError('Its manifest.json is not UTF-8.', { cause })
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(?:Z_|ERR_)/.test(error.code)
