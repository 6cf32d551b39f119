export const TAR_BLOCK = 512
/** The largest size that fits in the 11 octal digits of a header. */
export const MAX_TAR_SIZE = 8 * 1024 ** 3 - 1
export const TAR_END = Buffer.alloc(2 * TAR_BLOCK)

/** The header of a regular file, in the plain ustar form that every tar reads. */
export function tarHeader(name: string, size: number, seconds: number): Buffer {
  if (size > MAX_TAR_SIZE) throw new Error('A part is larger than 8 GB')
  const header = Buffer.alloc(TAR_BLOCK)
  header.write(name, 0, 100, 'ascii')
  for (const [at, text] of [
    [100, '0000600\0'],
    [108, '0000000\0'],
    [116, '0000000\0'],
    [124, `${octal(size)} `],
    [136, `${octal(Math.min(Math.max(0, seconds), MAX_TAR_SIZE))} `],
    [148, '        '],
    [156, '0'],
    [257, 'ustar\x0000'],
  ] as const) {
    header.write(text, at, 'latin1')
  }
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

export const tarPadding = (size: number) => Buffer.alloc((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK)

/** Reads a header; null for the block of zeros that ends an archive. Throws for anything but a regular file. */
export function readTarHeader(header: Buffer): { name: string; size: number } | null {
  if (header.every((byte) => byte === 0)) return null
  const number = (from: number, to: number) => {
    const digits = /^([0-7]+)[ \0]/.exec(header.toString('latin1', from, to))?.[1]
    if (digits === undefined) throw new Error('not a number')
    return Number.parseInt(digits, 8)
  }
  const sum = number(148, 156)
  const copy = Buffer.from(header)
  copy.fill(' ', 148, 156)
  if (checksum(copy) !== sum || header.toString('latin1', 156, 157) !== '0' || header.toString('latin1', 257, 262) !== 'ustar') {
    throw new Error('not a regular file')
  }
  const name = header.toString('latin1', 0, 100)
  return { name: name.slice(0, name.indexOf('\0')), size: number(124, 136) }
}

const octal = (value: number) => Math.trunc(value).toString(8).padStart(11, '0')
const checksum = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)

/** Reads a stream by numbers of bytes. Throws when it ends too early. */
export class AmountReader {
  readonly #chunks: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** At most `amount` bytes; none at the end of the stream. */
  async some(amount: number): Promise<Buffer> {
    while (this.#left.length === 0) {
      const { value, done } = await this.#chunks.next()
      if (done) break
      this.#left = value
    }
    const given = this.#left.subarray(0, amount)
    this.#left = this.#left.subarray(given.length)
    return given
  }

  /** The next `amount` bytes in chunks, so that a large part is never held whole. */
  async *pass(amount: number): AsyncGenerator<Buffer, void> {
    for (let missing = amount; missing > 0; ) {
      const part = await this.some(missing)
      if (part.length === 0) throw new Error('ends too early')
      missing -= part.length
      yield part
    }
  }

  /** The next `amount` bytes at once; for small parts. */
  async whole(amount: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.pass(amount)) parts.push(part)
    return Buffer.concat(parts)
  }
}
