import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { OPENED_PATH, OpenedFiles } from './opened-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-opened-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('opened files are read once each, by their link and not by their path', async () => {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, '{}')
  const files = new OpenedFiles()
  const opened = await files.link(path)
  expect(opened?.name).toBe('mcp.json')
  const token = opened?.url.slice(OPENED_PATH.length) ?? ''
  expect(await files.read(path)).toBeUndefined()
  expect(String(await files.read(token))).toBe('{}')
  expect(await files.read(token)).toBeUndefined()
})

it('opened files are never folders or missing files', async () => {
  const files = new OpenedFiles()
  expect(await files.link(folder)).toBeUndefined()
  expect(await files.link(join(folder, 'gone'))).toBeUndefined()
})
