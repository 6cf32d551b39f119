import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { cappedModule } from './capped-module.ts'

/** A module with one memory of a page, which it exports as `memory`. */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[5, 3, 1, 0, 1],
  ...[7, 10, 1, 6, ...Buffer.from('memory'), 2, 0],
])

interface Exports {
  readonly memory: { grow(pages: number): number; readonly buffer: ArrayBuffer }
}
// The types of this project have no WebAssembly.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(bytes: Uint8Array): Promise<{ instance: { exports: Exports } }>
    validate(bytes: Uint8Array): boolean
  }
}

describe('a module with bounded memory', () => {
  it('grows up to the bound and no further', async () => {
    const { instance } = await WebAssembly.instantiate(cappedModule(MODULE, 3 * 65_536))
    const { memory } = instance.exports
    memory.grow(2)
    expect(memory.buffer.byteLength).toBe(3 * 65_536)
    expect(() => memory.grow(1)).toThrow(RangeError)
  })

  it('stays a valid module: the real codec', async () => {
    const codec = await readFile(new URL(import.meta.resolve('@cf-wasm/photon/photon.wasm')))
    expect(WebAssembly.validate(cappedModule(codec, 1024 ** 3))).toBe(true)
  })

  it('is refused where there is nothing to bound', () => {
    expect(() => cappedModule(MODULE.subarray(0, 8), 65_536)).toThrow(TypeError)
    expect(() => cappedModule(Uint8Array.from([...MODULE.subarray(0, 8), 5, 0x80, 0x80, 0x80, 0x80, 0x80]), 1)).toThrow(TypeError)
  })
})
