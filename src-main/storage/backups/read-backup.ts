import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import { syncFolder } from '../base/json-file.ts'
import { StorageError } from '../base/storage.ts'
import { isSystemError, storageError } from '../base/storage-errors.ts'
import { BACKUP_FORMAT, BACKUP_VERSION, type Manifest, manifest, PARTS, SMALL_PARTS } from './manifest.ts'
import { AmountReader, readTarHeader, TAR_BLOCK, tarPadding } from './tar.ts'

/** Bytes that stay free on the disk. */
const SPARE = 256 * 1024 * 1024
/** The most zeros that may pad a tar to its last record. */
const MAX_REST = 64 * 1024

export interface Unpacked {
  readonly manifest: Manifest
  /** Still sealed. */
  readonly secrets?: Buffer
}

const foreign = () => new StorageError('io', 'This file is not a backup of Parley.')
const damaged = () => new StorageError('corrupt', 'This backup is damaged or incomplete. Nothing was changed.')

/**
 * Unpacks a backup into an empty folder, checking every byte. No name in it becomes a path: parts come in a fixed order, and a blob
 * is written where its hash says. Throws StorageError.
 */
export async function readBackup(
  file: string,
  into: string,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<Unpacked> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const flow = pipeline(source, gunzip, { signal })
  // The error is thrown where the data is read.
  flow.catch(() => {})
  try {
    const reader = new AmountReader(gunzip)
    const header = await partHeader(reader).catch(() => null) // Refused below.
    if (header?.name !== PARTS.manifest || header.size > SMALL_PARTS.manifest) throw foreign()
    const listed = readManifest(await part(reader, header.size))
    const { database, servers, secrets, blobs } = listed
    const total = database.bytes + blobs.bytes
    await checkRoom(into, total)
    let passed = 0
    const pass = (bytes: number) => {
      passed += bytes
      onProgress(Math.min(1, passed / (total + 1)))
    }
    const serversText = servers && (await smallPart(reader, PARTS.servers, servers))
    const sealed = secrets && (await smallPart(reader, PARTS.secrets, secrets))
    if (serversText) await keep(join(into, 'mcp.json'), [serversText])
    await expectPart(reader, PARTS.database, database.bytes)
    const found = await keep(join(into, 'parley.db'), reader.pass(database.bytes), pass)
    await skipPadding(reader, database.bytes)
    if (found !== database.sha256) throw damaged()
    await readBlobs(reader, blobs, join(into, 'blobs'), pass)
    await expectEnd(reader)
    await syncFolder(into)
    return { manifest: listed, ...(sealed && { secrets: sealed }) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof StorageError) throw error
    if (isSystemError(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES')) throw storageError(error, 'The backup could not be unpacked')
    throw damaged()
  } finally {
    gunzip.destroy()
    source.destroy()
    await flow.catch(() => {}) // As above.
  }
}

function readManifest(content: Buffer): Manifest {
  const value = objectIn(content.toString('utf8'))
  if (value?.format !== BACKUP_FORMAT) throw foreign()
  if (typeof value.version === 'number' && value.version > BACKUP_VERSION) {
    throw new StorageError('newer-version', 'This backup was made by a newer Parley. Update Parley, then restore it.')
  }
  const read = manifest.safeParse(value)
  if (!read.success) throw damaged()
  return read.data
}

/** Checked before anything is written: parts never exceed the sizes in the manifest. */
async function checkRoom(into: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(into)
  if (bytes + SPARE <= bavail * bsize) return
  throw new StorageError('full', 'There is not enough free space to unpack this backup. Free some and try again.')
}

async function readBlobs(
  reader: AmountReader,
  { count, bytes }: Manifest['blobs'],
  folder: string,
  pass: (bytes: number) => void,
) {
  await mkdir(folder, { mode: 0o700 })
  const made = new Set<string>()
  let left = bytes
  let before = ''
  for (let n = 0; n < count; n += 1) {
    const header = await partHeader(reader)
    const name = /^blobs\/([0-9a-f]{64})$/.exec(header?.name ?? '')?.[1]
    // In order, so that none comes twice.
    if (!header || name === undefined || name <= before || header.size > left) throw damaged()
    before = name
    left -= header.size
    const path = join(folder, name.slice(0, 2), name)
    if (!made.has(dirname(path))) await mkdir(dirname(path), { mode: 0o700 })
    made.add(dirname(path))
    const found = await keep(path, reader.pass(header.size), pass)
    await skipPadding(reader, header.size)
    if (found !== name) throw damaged()
  }
  if (left !== 0) throw damaged()
  for (const one of [...made, folder]) await syncFolder(one)
}

/** Writes a new file to the disk and returns its SHA-256. */
async function keep(
  path: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  pass: (bytes: number) => void = () => {},
): Promise<string> {
  const digest = createHash('sha256')
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of content) {
    digest.update(chunk)
    await file.writeFile(chunk)
    pass(chunk.length)
  }
  await file.sync()
  return digest.digest('hex')
}

async function partHeader(reader: AmountReader) {
  return readTarHeader(await reader.whole(TAR_BLOCK))
}

async function expectPart(reader: AmountReader, name: string, bytes: number): Promise<void> {
  const header = await partHeader(reader)
  if (header?.name !== name || header.size !== bytes) throw damaged()
}

async function smallPart(reader: AmountReader, name: string, { bytes, sha256 }: { bytes: number; sha256: string }) {
  await expectPart(reader, name, bytes)
  const content = await part(reader, bytes)
  if (hash('sha256', content) !== sha256) throw damaged()
  return content
}

async function part(reader: AmountReader, bytes: number): Promise<Buffer> {
  const content = await reader.whole(bytes)
  await skipPadding(reader, bytes)
  return content
}

async function skipPadding(reader: AmountReader, bytes: number): Promise<void> {
  await reader.whole(tarPadding(bytes).length)
}

/** Only zeros may follow; reading to the end also verifies the checksum of gzip. */
async function expectEnd(reader: AmountReader): Promise<void> {
  let rest = 0
  for (let chunk = await reader.some(MAX_REST); chunk.length > 0; chunk = await reader.some(MAX_REST)) {
    rest += chunk.length
    if (rest > MAX_REST || chunk.some((byte) => byte !== 0)) throw damaged()
  }
  if (rest < 1024) throw damaged()
}
