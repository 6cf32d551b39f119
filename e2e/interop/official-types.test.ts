import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root, run } from '../scripts/run.mjs'

/** Compiles one file of types and returns what the compiler says. */
async function compile(source: string): Promise<string> {
  // Beside the real ones, so that its imports mean the same.
  const folder = await mkdtemp(join(root, 'e2e', 'types', 'tried-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'tried.ts'), source.replaceAll("'../../", "'../../../"))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include: ['./*.ts'] }))
  const { code, output } = await run('tsc', ['-p', folder], { quiet: true })
  return code === 0 ? 'compiles' : output
}

describe('our types', () => {
  it.each(['official-types.ts', 'official-types-v2.ts'])('accept whatever those of %s accept (SCHEMA-01)', async (file) => {
    expect(await compile(await readFile(join(root, 'e2e', 'types', file), 'utf8'))).toBe('compiles')
  })

  it('are noticed when they accept less', async () => {
    const source = await readFile(join(root, 'e2e', 'types', 'official-types.ts'), 'utf8')
    const narrowed = source.replace('Accepts<Ours.Tool,', 'Accepts<Ours.Tool & { readonly more: string },')
    expect(await compile(narrowed)).toMatch(/TS2344.*more/s)
  })
})
