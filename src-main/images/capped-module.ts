const MEMORY_SECTION = 5
const PAGE = 64 * 1024

/**
 * Adds a maximum to the memory section of a WebAssembly module, so that it traps instead of growing beyond `bytes`. Throws TypeError
 * for anything but a module with one memory of its own.
 * Source: WebAssembly core specification, sections 5.4.5 and 5.5.8.
 */
export function cappedModule(module: Uint8Array, bytes: number): Uint8Array {
  let at = 8
  while (at < module.length) {
    const id = module[at]
    const length = leb(module, at + 1)
    if (id === MEMORY_SECTION) {
      const count = leb(module, length.next)
      const flags = leb(module, count.next)
      const minimum = leb(module, flags.next)
      if (count.value !== 1 || (flags.value & ~1) !== 0) break
      const content = [1, 1, ...toLeb(minimum.value), ...toLeb(Math.max(minimum.value, Math.floor(bytes / PAGE)))]
      const section = [MEMORY_SECTION, ...toLeb(content.length), ...content]
      return Buffer.concat([module.subarray(0, at), Uint8Array.from(section), module.subarray(length.next + length.value)])
    }
    at = length.next + length.value
  }
  throw new TypeError('The module has no memory of its own that could be bounded.')
}

/** An unsigned LEB128 number of up to 32 bits. */
function leb(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0
  for (let n = 0; n < 5; n += 1) {
    const byte = bytes[start + n] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * n)
    if (byte < 0x80) return { value, next: start + n + 1 }
  }
  throw new TypeError('A number of the module is longer than 32 bits.')
}

function toLeb(value: number): number[] {
  const bytes: number[] = []
  let left = value
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left & 0x7f) | 0x80)
  return [...bytes, left]
}
