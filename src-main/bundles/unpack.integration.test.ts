import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signatureBlock, type ZipFile, zip } from '../../e2e/support/zip-writer.ts'
import { BundleError } from './bundle-error.ts'
import { removeUnpacked } from './kept-bundle.ts'
import { unpackBundle } from './unpack.ts'

const MANIFEST: ZipFile = { name: 'manifest.json', content: '{"name":"x"}' }
/** Bytes that no packing makes smaller. */
const NOISE = randomBytes(1.3 * 1024 * 1024)
const CODE: ZipFile = { name: 'server/index.js', content: 'run()'.repeat(100), mode: 0o100755 }

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-unpack-'))
})
afterEach(() => removeUnpacked(home))

async function unpack(bytes: Uint8Array) {
  const [file, folder] = [join(home, 'x.mcpb'), join(home, 'unpacked')]
  await writeFile(file, bytes)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  return unpackBundle(file, folder)
}

const refusal = (bytes: Uint8Array) =>
  unpack(bytes).then(
    () => 'unpacked',
    (error) => {
      if (error instanceof BundleError) return error.message
      throw error
    },
  )

describe('unpacking', () => {
  it('writes files read-only, with their hashes and no other bits (MCPB-6, MCPB-7)', async () => {
    const found = await unpack(zip([MANIFEST, { name: 'server/', mode: 0o040755 }, { ...CODE, mode: 0o104777 }]))
    expect(found).toMatchObject({ manifest: '{"name":"x"}', signed: false, bytes: 512 })
    expect(Object.keys(found.files)).toEqual(['manifest.json', 'server/index.js'])
    expect((await stat(join(home, 'unpacked/server/index.js'))).mode & 0o7777).toBe(0o555)
    expect((await stat(join(home, 'unpacked/manifest.json'))).mode & 0o7777).toBe(0o444)
    expect(await readFile(join(home, 'unpacked/server/index.js'), 'utf8')).toBe(CODE.content)
  })

  it('accepts a signature block after the file, and nothing else there (MCPB-3, MCPB-20)', async () => {
    const block = signatureBlock(Buffer.alloc(2000, 7))
    expect(await unpack(zip([MANIFEST], { behind: block }))).toMatchObject({ signed: true })
    expect(await refusal(zip([MANIFEST], { behind: Buffer.from('more') }))).toMatch(/does not end as a ZIP/)
    expect(await refusal(zip([MANIFEST], { behind: block.subarray(1) }))).toMatch(/signature block is cut off/)
    expect(await refusal(zip([MANIFEST], { behind: Buffer.concat([Buffer.from('x'), block]) }))).toMatch(/does not end as a ZIP/)
  })

  it.each<[string, readonly ZipFile[], RegExp]>([
    ['a way out', [{ name: '../evil.js' }], /leads out/],
    ['a way out inside', [{ name: 'a/../../evil.js' }], /leads out/],
    ['an absolute path', [{ name: '/etc/evil' }], /root of the disk/],
    ['a drive', [{ name: 'C:evil' }], /characters/],
    ['a backslash', [{ name: '..\\evil.js' }], /characters/],
    ['a stream', [{ name: 'a:b' }], /characters/],
    ['an empty part', [{ name: 'a//b' }], /empty part/],
    ['a control character', [{ name: 'a\nb' }], /characters/],
    ['a reversed name', [{ name: 'a\u202Esj.exe' }], /characters/],
    ['a dot at the end', [{ name: 'a./b' }], /space or dot/],
    ['a space at the end', [{ name: 'a ' }], /space or dot/],
    ['a device', [{ name: 'lib/CON.txt' }], /device/],
    ['a long path', [{ name: 'a'.repeat(241) }], /too long/],
    ['a deep path', [{ name: `${'a/'.repeat(24)}b` }], /too deeply/],
    ['bytes that are no UTF-8', [{ name: Buffer.from([0xff, 0xfe]) }], /not UTF-8/],
    ['the same name twice', [CODE, CODE], /occurs twice/],
    ['a twin by case', [CODE, { name: 'Server/other.js' }], /upper and lower case/],
    ['a twin by composition', [{ name: 'é' }, { name: 'e\u0301' }], /upper and lower case/],
    ['a second manifest by case', [{ name: 'Manifest.json' }], /upper and lower case/],
    ['a file that is a folder', [{ name: 'a' }, { name: 'a/b' }], /both a file and a folder/],
    ['a link', [{ name: 'link', content: '/etc/passwd', mode: 0o120777 }], /link or a device/],
    ['a device file', [{ name: 'tty', mode: 0o020666 }], /link or a device/],
    ['a pipe', [{ name: 'pipe', mode: 0o010644 }], /link or a device/],
    ['a folder with content', [{ name: 'a/', content: 'x', mode: 0o040755 }], /folder with content/],
    ['an encrypted file', [{ ...CODE, flags: 0x0801 }], /encrypted/],
    ['another packing', [{ ...CODE, method: 12 }], /packed in a way/],
    ['another name in its header', [{ ...CODE, localName: 'server/innex.js' }], /two ways/],
    ['a wrong checksum', [{ ...CODE, crc: 1 }], /does not match the directory/],
    ['more than it says', [{ ...CODE, unpacked: 499 }], /does not match the directory/],
    ['less than it says', [{ ...CODE, unpacked: 501 }], /does not match the directory/],
    ['a bomb', [{ name: 'bomb', content: Buffer.alloc(2 * 1024 * 1024) }], /more than 200 times its size/],
    ['a huge claim', [{ ...CODE, unpacked: 300 * 1024 * 1024 }], /larger than 256 MiB/],
    [
      'many large claims',
      Array.from({ length: 5 }, (_, n) => ({ name: `${n}`, content: NOISE, unpacked: 250 * 1024 * 1024 })),
      /more than 1 GiB/,
    ],
  ])('refuses %s (MCPB-4, MCPB-5, MCPB-6)', async (_called, files, why) => {
    expect(await refusal(zip([MANIFEST, ...files]))).toMatch(why)
    // Nothing is outside the folder that the caller removes.
    expect((await readdir(home)).sort()).toEqual(['unpacked', 'x.mcpb'])
  })

  it('refuses files with gaps, data before the first, cut ends and false numbers (MCPB-3, MCPB-4)', async () => {
    const whole = zip([MANIFEST, CODE])
    expect(await refusal(zip([MANIFEST, CODE], { between: Buffer.from('PK?') }))).toMatch(/overlap or have gaps/)
    expect(await refusal(zip([MANIFEST, CODE], { before: Buffer.from('#!/bin/sh\n') }))).toMatch(/before its first file/)
    expect(await refusal(zip([MANIFEST], { count: 2 }))).toMatch(/directory ends too early/)
    expect(await refusal(zip([MANIFEST, CODE], { count: 1 }))).toMatch(/holds more than it says/)
    expect(await refusal(zip([MANIFEST], { count: 20_001 }))).toMatch(/20,000/)
    expect(await refusal(whole.subarray(10))).toMatch(/not where it should be/)
    expect(await refusal(whole.subarray(0, -4))).toMatch(/does not end as a ZIP/)
    expect(await refusal(Buffer.from('{}'))).toMatch(/not a bundle/)
    const split = Buffer.from(whole)
    split.writeUInt16LE(1, split.length - 18)
    expect(await refusal(split)).toMatch(/one part of a split ZIP file/)
  })

  it('reads files that are stored as they are (MCPB-3)', async () => {
    await unpack(zip([MANIFEST, { ...CODE, stored: true }]))
    expect(await readFile(join(home, 'unpacked/server/index.js'), 'utf8')).toBe(CODE.content)
  })

  it('refuses a file of more than 256 MiB, whatever is in it (MCPB-4)', async () => {
    const [file, folder] = [join(home, 'large.mcpb'), join(home, 'unpacked')]
    await writeFile(file, '')
    await truncate(file, 256 * 1024 * 1024 + 1)
    await mkdir(folder)
    await expect(unpackBundle(file, folder)).rejects.toThrow('It is larger than 256 MiB.')
  })

  it('takes the manifest at the root alone, of 1 MiB at most (MCPB-8)', async () => {
    expect(await refusal(zip([CODE]))).toMatch(/no manifest.json/)
    expect(await refusal(zip([CODE, { ...MANIFEST, name: 'server/manifest.json' }]))).toMatch(/no manifest.json/)
    expect(await refusal(zip([{ ...MANIFEST, content: NOISE }]))).toMatch(/manifest.json is larger than 1 MiB/)
  })

  it('writes no more bytes of a file than the directory says (MCPB-4)', async () => {
    const lies = { name: 'grows', content: Buffer.alloc(3 * 1024 * 1024), unpacked: 10 }
    expect(await refusal(zip([MANIFEST, lies]))).toMatch(/does not match the directory/)
    expect((await stat(join(home, 'unpacked/grows'))).size).toBeLessThanOrEqual(10)
  })

  it('never reads the bytes of a flipped file as something else', async () => {
    const whole = zip([MANIFEST, CODE])
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] as number) ^ 0xff
      const found = await unpack(flipped).catch((error) => error)
      if (!(found instanceof BundleError)) expect(found.files).toHaveProperty(['manifest.json'])
    }
  })
})
