import type { FileHandle } from 'node:fs/promises'
import { BundleError } from './bundle-error.ts'
import { PathTwins, pathProblem } from './zip-names.ts'

const MIB = 1024 * 1024
export const ZIP_LIMITS = {
  bytes: 256 * MIB,
  entries: 20_000,
  unpacked: 1024 * MIB,
  entry: 256 * MIB,
  /** Unpacked to packed bytes, for entries over 1 MiB. */
  ratio: 200,
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const END_LENGTH = 22
const CENTRAL_LENGTH = 46
const LOCAL_LENGTH = 30
/** Compression hints, a descriptor behind the data, UTF-8 names: nothing else, so no encryption. */
const KNOWN_FLAGS = 0x0002 | 0x0004 | 0x0008 | 0x0800
const HAS_DESCRIPTOR = 0x0008
const UNIX_MADE = [3, 19]
const TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000

const SIGNATURE_START = 'MCPB_SIG_V1'
const SIGNATURE_END = 'MCPB_SIG_END'
const MAX_SIGNATURE = 64 * 1024

export interface ZipEntry {
  /** Safe below any folder; without the slash at the end of a folder. */
  readonly path: string
  readonly folder: boolean
  readonly executable: boolean
  readonly deflated: boolean
  readonly crc: number
  /** Bytes in the file. */
  readonly packed: number
  readonly unpacked: number
  /** Offset of its data. */
  readonly at: number
}

interface ZipDirectory {
  readonly entries: readonly ZipEntry[]
  /** Carries a signature block, which is not checked. */
  readonly signed: boolean
}

interface CentralEntry extends Omit<ZipEntry, 'at'> {
  readonly name: Buffer
  readonly flags: number
  readonly method: number
  readonly header: number
}

/**
 * Reads the directory of a ZIP file and holds it against the headers of the entries. Anything that readers could understand in two
 * ways is refused: gaps, overlaps, comments, links, encryption, ZIP64. Throws BundleError.
 */
export async function readZipDirectory(file: FileHandle): Promise<ZipDirectory> {
  const { size } = await file.stat()
  if (size > ZIP_LIMITS.bytes) throw new BundleError('It is larger than 256 MiB.')
  const { end, signed } = await findEnd(file, size)
  const tail = await bytesAt(file, end - END_LENGTH, END_LENGTH)
  if (tail.readUInt32LE(0) !== END) throw notZip()
  const behind = tail.readUInt16LE(20)
  if (behind !== 0 && behind !== size - end) throw new BundleError('Its ZIP file has a comment, which bundles do not have.')
  const count = tail.readUInt16LE(10)
  const [length, start] = [tail.readUInt32LE(12), tail.readUInt32LE(16)]
  if (tail.readUInt32LE(4) !== 0 || tail.readUInt16LE(8) !== count) throw new BundleError('It is one part of a split ZIP file.')
  if (count > ZIP_LIMITS.entries) throw new BundleError('It has more than 20,000 files.')
  if (start + length !== end - END_LENGTH) throw damaged('its directory is not where it should be')
  const central = readCentral(await bytesAt(file, start, length), count)
  checkAmounts(central)
  return { entries: await located(file, central, start), signed }
}

/** The end of the ZIP file: the end of the whole file, or the beginning of a signature block. */
async function findEnd(file: FileHandle, size: number): Promise<{ end: number; signed: boolean }> {
  if (size < END_LENGTH) throw notZip()
  const from = Math.max(0, size - MAX_SIGNATURE)
  const tail = await bytesAt(file, from, size - from)
  if (tail.toString('latin1', tail.length - SIGNATURE_END.length) !== SIGNATURE_END) return { end: size, signed: false }
  const at = tail.lastIndexOf(SIGNATURE_START, undefined, 'latin1')
  const body = at + SIGNATURE_START.length + 4
  const isBlock = at >= 0 && body <= tail.length && body + tail.readUInt32LE(body - 4) === tail.length - SIGNATURE_END.length
  if (!isBlock || from + at < END_LENGTH) throw damaged('its signature block is cut off')
  return { end: from + at, signed: true }
}

function readCentral(bytes: Buffer, count: number): CentralEntry[] {
  const entries: CentralEntry[] = []
  const twins = new PathTwins()
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + CENTRAL_LENGTH > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw damaged('its directory ends too early')
    const [nameLength, extra, comment] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)]
    const behind = at + CENTRAL_LENGTH + nameLength + extra + comment
    if (behind > bytes.length) throw damaged('its directory ends too early')
    entries.push(centralEntry(bytes.subarray(at, behind), nameLength, twins))
    at = behind
  }
  if (at !== bytes.length) throw damaged('its directory holds more than it says')
  return entries
}

function centralEntry(header: Buffer, nameLength: number, twins: PathTwins): CentralEntry {
  const name = header.subarray(CENTRAL_LENGTH, CENTRAL_LENGTH + nameLength)
  const written = decoded(name)
  const folder = written.endsWith('/')
  const path = folder ? written.slice(0, -1) : written
  const refused = (why: string) => new BundleError(`The path “${written.slice(0, 240)}” ${why}.`)
  const problem = pathProblem(path) ?? twins.add(path, folder)
  if (problem) throw refused(problem)
  const [flags, method] = [header.readUInt16LE(8), header.readUInt16LE(10)]
  if ((flags & ~KNOWN_FLAGS) !== 0) throw refused('is encrypted, or packed in a way that bundles do not use')
  if (method !== 0 && method !== 8) throw refused('is packed in a way that bundles do not use')
  if (header.readUInt16LE(34) !== 0) throw refused('is in another file')
  const mode = UNIX_MADE.includes(header.readUInt16LE(4) >> 8) ? header.readUInt32LE(38) >>> 16 : 0
  const type = mode & TYPE
  if (type !== 0 && type !== (folder ? FOLDER : REGULAR)) throw refused('is a link or a device, not a file')
  const [packed, unpacked] = [header.readUInt32LE(20), header.readUInt32LE(24)]
  if (folder && unpacked !== 0) throw refused('is a folder with content')
  if (method === 0 && packed !== unpacked) throw refused('has two sizes')
  return {
    path,
    folder,
    executable: (mode & 0o111) !== 0,
    deflated: method === 8,
    crc: header.readUInt32LE(16),
    packed,
    unpacked,
    name,
    flags,
    method,
    header: header.readUInt32LE(42),
  }
}

function checkAmounts(entries: readonly CentralEntry[]): void {
  let sum = 0
  for (const { path, packed, unpacked } of entries) {
    sum += unpacked
    if (unpacked > ZIP_LIMITS.entry) throw new BundleError(`The file “${path}” is larger than 256 MiB.`)
    if (unpacked > MIB && unpacked > packed * ZIP_LIMITS.ratio)
      throw new BundleError(`The file “${path}” would unpack to more than ${ZIP_LIMITS.ratio} times its size.`)
  }
  if (sum > ZIP_LIMITS.unpacked) throw new BundleError('Its files take more than 1 GiB.')
}

/** Holds each entry's own header against the directory; together they must fill the file from its first byte to the directory. */
async function located(file: FileHandle, central: readonly CentralEntry[], end: number): Promise<ZipEntry[]> {
  const inOrder = [...central].sort((a, b) => a.header - b.header)
  const starts = new Map<CentralEntry, number>()
  let next = 0
  for (const [n, entry] of inOrder.entries()) {
    if (entry.header !== next) throw damaged(next === 0 ? 'something is before its first file' : 'its files overlap or have gaps')
    const limit = inOrder[n + 1]?.header ?? end
    const header = await bytesAt(file, entry.header, LOCAL_LENGTH + entry.name.length)
    if (!isSame(header, entry)) throw damaged(`“${entry.path}” is described in two ways`)
    const data = entry.header + LOCAL_LENGTH + entry.name.length + header.readUInt16LE(28)
    next = data + entry.packed
    if (limit > next && entry.flags & HAS_DESCRIPTOR) next += await descriptorLength(file, entry, next, limit)
    starts.set(entry, data)
  }
  if (next !== end) throw damaged('its files overlap or have gaps')
  return central.map(({ name: _name, flags: _flags, method: _method, header: _header, ...entry }, n) => ({
    ...entry,
    at: starts.get(central[n] as CentralEntry) as number, // each has been located
  }))
}

function isSame(header: Buffer, { name, flags, method, crc, packed, unpacked }: CentralEntry): boolean {
  if (header.readUInt32LE(0) !== LOCAL || header.readUInt16LE(6) !== flags || header.readUInt16LE(8) !== method) return false
  if (header.readUInt16LE(26) !== name.length || !header.subarray(LOCAL_LENGTH).equals(name)) return false
  const own = [header.readUInt32LE(14), header.readUInt32LE(18), header.readUInt32LE(22)]
  const known = [crc, packed, unpacked]
  // With a descriptor the values may be left out here.
  return own.every((value, n) => value === known[n] || (value === 0 && (flags & HAS_DESCRIPTOR) !== 0))
}

async function descriptorLength(
  file: FileHandle,
  { crc, packed, unpacked }: CentralEntry,
  at: number,
  limit: number,
): Promise<number> {
  const length = limit - at
  if (length !== 12 && length !== 16) throw damaged('its files overlap or have gaps')
  const bytes = await bytesAt(file, at, length)
  if (length === 16 && bytes.readUInt32LE(0) !== DESCRIPTOR) throw damaged('its files overlap or have gaps')
  const values = [length - 12, length - 8, length - 4].map((offset) => bytes.readUInt32LE(offset))
  if ([crc, packed, unpacked].some((value, n) => value !== values[n])) throw damaged('a file is described in two ways')
  return length
}

function decoded(name: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch (cause) {
    throw new BundleError('The name of a file is not UTF-8.', { cause })
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead !== length) throw damaged('it ends too early')
  return bytes
}

const notZip = () => new BundleError('It is not a bundle: it does not end as a ZIP file does.')
const damaged = (why: string) => new BundleError(`It is damaged: ${why}.`)
