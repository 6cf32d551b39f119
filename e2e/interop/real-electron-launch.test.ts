import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { node, root } from '../shells/shell-process.ts'

/** Playwright leaves promises behind when a program ends at once, so it does that in a process of its own. */
const START = `
  import { RealElectronShell } from './e2e/shells/real-electron-shell.ts'
  process.on('unhandledRejection', () => {})
  await new RealElectronShell(process.argv[1], {}, async () => {}).start().catch(() => {})
  process.exit()`
let folder: string

/** A program in the place of Electron's that notes how it was started and ends. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-launch-'))
  const program = join(folder, 'electron')
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/argv"\nenv > "${folder}/env"\nexit 1\n`)
  await chmod(program, 0o755)
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(process.platform !== 'linux')('the specs on Electron itself', () => {
  it('start it with its sandbox, as an app, and without the user’s key store', async () => {
    const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_RUN_AS_NODE: '1' }
    await promisify(execFile)(node, ['--input-type=module', '-e', START, join(folder, 'data')], { cwd: root, env })
    const argv = (await readFile(join(folder, 'argv'), 'utf8')).split('\n')
    expect(argv).not.toContain('--no-sandbox')
    expect(argv).toEqual(
      expect.arrayContaining(['--password-store=basic', '--use-mock-keychain', '--data', join(folder, 'data')]),
    )
    expect(await readFile(join(folder, 'env'), 'utf8')).not.toContain('ELECTRON_RUN_AS_NODE')
  })
})
