import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a ZIP file; everything beside name and content can be written wrongly on purpose. */
export interface ZipFile {
  readonly name: string | Buffer
  readonly content?: string | Uint8Array
  readonly mode?: number
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  /** The size that the directory claims. */
  readonly unpacked?: number
  /** The name in its own header. */
  readonly localName?: string
  readonly stored?: boolean
}

interface ZipShape {
  readonly before?: Buffer
  readonly between?: Buffer
  readonly behind?: Buffer
  /** The number of entries that the end claims. */
  readonly count?: number
}

/** A ZIP file, byte by byte. */
export function zip(files: readonly ZipFile[], { before, between, behind, count }: ZipShape = {}): Buffer {
  const parts: Buffer[] = before ? [before] : []
  const central: Buffer[] = []
  let at = before?.length ?? 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    const content = Buffer.from(file.content ?? '')
    const method = file.method ?? (file.stored || content.length === 0 ? 0 : 8)
    const data = method === 8 ? deflateRawSync(content) : content
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(file.flags ?? 0x0800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(file.crc ?? crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(file.unpacked ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const localName = Buffer.from(file.localName ?? name)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, localName, data])
    local.writeUInt16LE(localName.length, 26)
    const head = Buffer.alloc(46)
    head.write('PK\x01\x02', 'latin1')
    head.writeUInt16LE((3 << 8) | 20, 4)
    common.copy(head, 6)
    head.writeUInt32LE(((file.mode ?? 0o100644) << 16) >>> 0, 38)
    head.writeUInt32LE(at, 42)
    central.push(head, name)
    parts.push(local)
    at += local.length
    if (between) {
      parts.push(between)
      at += between.length
    }
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  // More files than the field holds need ZIP64, of which readers without it see this number.
  const told = count ?? Math.min(files.length, 0xffff)
  end.writeUInt16LE(told, 8)
  end.writeUInt16LE(told, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end, ...(behind ? [behind] : [])])
}

/** The block that `mcpb sign` puts behind the ZIP file. */
export function signatureBlock(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('MCPB_SIG_V1'), length, body, Buffer.from('MCPB_SIG_END')])
}
