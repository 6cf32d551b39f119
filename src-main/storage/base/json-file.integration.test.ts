import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { namesIn } from './json-file.ts'

it('names nothing of a folder that is not there, and fails for one that cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-names-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'blobs'), '')
  expect(await namesIn(folder)).toEqual(['blobs'])
  expect(await namesIn(join(folder, 'none'))).toEqual([])
  await expect(namesIn(join(folder, 'blobs'))).rejects.toThrow('could not be read')
})
