/** Bytes of one buffer: one stream of a file, unpacked. */
const MAX_SIZE = 64 * 1024 * 1024
/** Buffers below this count as small, and go as fast as they come. */
const COUNTED = 256 * 1024
/** Bytes of all larger buffers of one job together. */
const TOTAL = 768 * 1024 * 1024

let taken = 0

/** A job begins: what the one before took is free again. */
export function forgetBuffers(): void {
  taken = 0
}

/**
 * Bounds the buffers that the code of this thread makes: a thread's limits count its heap and not them, and a file of a few
 * megabytes may unpack to as many gigabytes. pdf.js takes the error as that of a broken stream.
 */
export function boundBuffers(): void {
  const bounded: Uint8ArrayConstructor = new Proxy(Uint8Array, {
    construct(target, given: unknown[], newTarget): Uint8Array {
      const [length] = given
      if (typeof length === 'number' && length >= COUNTED) {
        taken += length
        if (length > MAX_SIZE || taken > TOTAL) throw new RangeError('This file unpacks to more than Parley accepts.')
      }
      return Reflect.construct(target, given, newTarget === bounded ? target : newTarget)
    },
  })
  globalThis.Uint8Array = bounded
  // Memory that DecompressionStream unpacks into cannot be counted; without it pdf.js uses code of its own.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
}
