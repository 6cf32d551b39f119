import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

/** They read strings by themselves, or what our own build wrote. */
const ALLOWED = new Set([
  'src-shared/base/parse-json.ts',
  'src-main/storage/server-file/json-text.ts',
  'src-main/transports/json-in-turns.ts',
  'src-renderer/pdf/bundled-files.ts',
])

it('the product reads JSON with parseJson, since JSON.parse confuses some names', () => {
  const sources = ['src-renderer', 'src-main', 'src-shared'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${room}/${name}`),
  )
  const found = sources.filter((path) => /JSON\.parse\(/.test(readFileSync(new URL(path, root), 'utf8')))
  expect(new Set(found)).toEqual(ALLOWED)
})
