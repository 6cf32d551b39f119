import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fileNamesIn } from './json-file.ts'

it('a missing folder has no files, and an unreadable one fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-names-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'blobs'), '')
  expect(await fileNamesIn(folder)).toEqual(['blobs'])
  expect(await fileNamesIn(join(folder, 'none'))).toEqual([])
  await expect(fileNamesIn(join(folder, 'blobs'))).rejects.toThrow('could not be read')
})
