/** Bytes of one buffer, such as an unpacked stream. */
const MAX_SIZE = 64 * 1024 * 1024
/** Smaller buffers are not counted: they are short-lived. */
const COUNTED = 256 * 1024
/** Bytes of all counted buffers of one job. */
const TOTAL = 768 * 1024 * 1024

let taken = 0

/** Call it at the beginning of a job, when the earlier buffers are free. */
export function forgetBuffers(): void {
  taken = 0
}

/**
 * Limits the buffers of this thread, which the thread's own limits do not count: a file of a few megabytes may unpack to gigabytes.
 * pdf.js takes the error for a broken stream.
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
  // Its memory cannot be counted; without it pdf.js uses its own code.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
}
