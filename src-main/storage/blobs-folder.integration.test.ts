import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'
import { BlobsFolder } from './blobs-folder.ts'

const open = async () => {
  const folder = join(await temporaryFolder(), 'blobs')
  return { folder, blobs: await BlobsFolder.open(folder) }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('blobs', () => {
  it('are kept once under the hash of their bytes', async () => {
    const { folder, blobs } = await open()
    const blob = sha256('hello')
    expect(await blobs.put('hello', 'text/plain')).toEqual({ blob, bytes: 5, mimeType: 'text/plain' })
    const path = join(folder, blob.slice(0, 2), blob)
    const { ino } = await stat(path)
    expect(await blobs.put(new TextEncoder().encode('hello'), 'text/html')).toEqual({ blob, bytes: 5, mimeType: 'text/html' })
    expect((await stat(path)).ino).toBe(ino)
    expect(await readFile(path, 'utf8')).toBe('hello')
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
    await Promise.all(Array.from({ length: 8 }, () => blobs.put('at once', 'text/plain')))
    expect(Buffer.from(await blobs.read(sha256('at once'))).toString()).toBe('at once')
  })

  it('cut short by a crash are written again', async () => {
    const { folder, blobs } = await open()
    const blob = sha256('whole content')
    await mkdir(join(folder, blob.slice(0, 2)))
    await writeFile(join(folder, blob.slice(0, 2), blob), 'whole')
    await writeFile(join(folder, 'incoming', 'left over'), 'x')
    await blobs.put('whole content', 'text/plain')
    expect(Buffer.from(await blobs.read(blob)).toString()).toBe('whole content')
    await BlobsFolder.open(folder)
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  })

  it('are read in ranges within the content', async () => {
    const { blobs } = await open()
    const { blob } = await blobs.put('0123456789', 'text/plain')
    const read = async (offset: number, length: number) => Buffer.from(await blobs.read(blob, { offset, length })).toString()
    expect(await read(2, 3)).toBe('234')
    expect(await read(8, 1e12)).toBe('89')
    expect(await read(50, 5)).toBe('')
    expect(await read(-5, 2)).toBe('01')
    expect(await read(0, -1)).toBe('')
  })

  it('give text in pieces that never split a character', async () => {
    const { blobs } = await open()
    const text = '\uFEFFaé€🙂'.repeat(30)
    const { blob } = await blobs.put(text, 'text/plain')
    for (const length of [1, 4, 5, 6, 7, 64, 10_000]) {
      let whole = ''
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const piece: { text: string; next?: number } = await blobs.text(blob, offset, length)
        expect(piece.text).not.toContain('\uFFFD')
        expect(piece.text).not.toBe('')
        whole += piece.text
        offset = piece.next
      }
      expect(whole).toBe(text)
    }
  })

  it('that are no text are still read to the end', async () => {
    const { blobs } = await open()
    const { blob } = await blobs.put(new Uint8Array(100).fill(0x80), 'application/octet-stream')
    let offset: number | undefined = 0
    let pieces = 0
    while (offset !== undefined && pieces < 1000) {
      const next: number | undefined = (await blobs.text(blob, offset, 10)).next
      if (next !== undefined) expect(next).toBeGreaterThan(offset)
      offset = next
      pieces += 1
    }
    expect(offset).toBeUndefined()
  })

  it('have no names but hashes (SEC-06)', async () => {
    const { folder, blobs } = await open()
    await writeFile(join(folder, '..', 'secrets.json'), 'hush')
    for (const name of [
      '../secrets.json',
      '..',
      '',
      'A'.repeat(64),
      `${'a'.repeat(64)}\n`,
      `${'a'.repeat(61)}/..`,
      '/etc/passwd',
    ]) {
      expect(await blobs.has(name)).toBe(false)
      await expect(blobs.read(name)).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('not the name') })
      await expect(blobs.text(name, 0, 10)).rejects.toMatchObject({ code: 'io' })
    }
    await expect(blobs.read('a'.repeat(64))).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('no longer') })
  })

  it('are not read through a symbolic link out of their folder (SEC-06)', async () => {
    const { folder, blobs } = await open()
    const outside = join(folder, '..', 'blobs-of-others')
    await writeFile(outside, 'hush')
    const blob = sha256('x')
    await mkdir(join(folder, blob.slice(0, 2)))
    await symlink(outside, join(folder, blob.slice(0, 2), blob))
    await expect(blobs.read(blob)).rejects.toMatchObject({ message: expect.stringContaining('outside') })
  })
})
