import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DoubleShell } from '../shells/double-shell.ts'
import { chunksApart, problemsOf, smokeHost } from '../shells/host-smoke.ts'
import { node, root, ShellProcess } from '../shells/shell-process.ts'

const out = join(root, 'out')
const hook = pathToFileURL(join(root, 'e2e', 'electron', 'hook.ts')).href

/** A build of which files are missing. */
function without(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of ['main', 'renderer']) cpSync(join(out, part), join(folder, part), { recursive: true })
  for (const file of files) rmSync(join(folder, 'main', file))
  return folder
}

describe('the build', () => {
  // Elsewhere `package.test.ts` shows it of the same files in their archive, and the last test here of all but three of them.
  it.runIf(process.platform === 'win32' || process.env.PARLEY_LONG === '1')(
    'does one real thing with every worker, WebAssembly module and late chunk of the host, and has no other',
    async () => {
      expect(problemsOf(out, await smokeHost(out))).toEqual([])
    },
  )

  it('runs every chunk that the host does not reach', async () => {
    const chunks = chunksApart(out).filter((file) => file !== 'electron.js' && file !== 'run.js')
    expect(chunks.length).toBeGreaterThan(0)
    for (const file of chunks) {
      const url = pathToFileURL(join(out, 'main', file)).href
      const program = `const all = await import(${JSON.stringify(url)}); console.log(Object.keys(all).length)`
      const shell = new ShellProcess(node, ['--import', hook, '--input-type', 'module', '--eval', program], {})
      expect([file, await shell.ended(), shell.output()]).toEqual([file, 0, expect.stringMatching(/^[1-9]\d*\n$/)])
    }
  })

  it('judges the recorded tasks like the sources', async () => {
    const [sources, built] = await Promise.all(
      [[], ['--built']].map(async (words) => {
        const replay = promisify(execFile)(node, [join(root, 'e2e', 'consent', 'run.ts'), '--all', ...words], {
          maxBuffer: 2 ** 26,
        })
        // It ends with an error where an aim is missed. The aims themselves are in its other stream.
        return await replay.catch((error: { stdout: string }) => error).then(({ stdout }) => stdout)
      }),
    )
    const said = (output = '') => output.split('\n').filter((line) => line && !line.startsWith('Measured on the build: '))
    expect(said(sources).length).toBeGreaterThan(1_000)
    expect(said(built)).toEqual(said(sources))
  })

  it('opens the desktop app, with its preload', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
    const shell = new DoubleShell(folder, {}, async () => rmSync(folder, { recursive: true }))
    onTestFinished(() => shell.dispose())
    await shell.start()
    await shell.page.getByRole('textbox').first().waitFor()
    expect(shell.pageErrors).toEqual([])
  })

  it('names in the app and in the log each part that is missing, and does everything else', async () => {
    const lacking = without(['libpg-query.wasm', 'photon.wasm', 'document-worker.js'])
    const smoke = await smokeHost(lacking)
    const codes = ['part-lost-sql', 'part-lost-images', 'part-lost-documents']
    expect(smoke.notices).toEqual(codes.map((code) => expect.stringContaining(`${code}: A part of Parley could not be loaded.`)))
    for (const part of ['sql', 'images', 'documents'])
      expect(smoke.output).toContain(`A part of Parley could not be loaded (${part})`)
    const undone = problemsOf(lacking, smoke).flatMap((problem) => /^([^:]+): /.exec(problem)?.[1] ?? [])
    expect(undone).toEqual(['sql', 'picture for anthropic', 'picture for responses', 'words of a file', ...codes])
  })
})
