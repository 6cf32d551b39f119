import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { loginPath } from './login-path.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-login-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A shell whose start-up files are these lines; it notes each time that it is started. */
async function shell(...startUp: string[]): Promise<{ SHELL: string; PATH: string }> {
  const file = join(folder, 'shell')
  await writeFile(file, `#!/bin/sh\necho "$1" >> "\${0%/*}/started"\n${startUp.join('\n')}\neval "$2"\n`)
  await chmod(file, 0o755)
  return { SHELL: file, PATH: '/usr/bin:/bin' }
}
const started = async () => (await readFile(join(folder, 'started'), 'utf8')).trim().split('\n')

describe('the PATH of the login shell', () => {
  it('is what its start-up files make of it, whatever else they print', async () => {
    const environment = await shell('echo PATH=/wrong', 'PATH=/opt/tools:relative:$PATH; export PATH')
    expect(await loginPath(environment, 'darwin', new ManualClock())()).toBe('/opt/tools:/usr/bin:/bin')
    expect(await started()).toEqual(['-ilc'])
  })

  it('is read once, and again after a while', async () => {
    const clock = new ManualClock()
    const ask = loginPath(await shell(), 'linux', clock)
    await Promise.all([ask(), ask()])
    await ask()
    expect(await started()).toHaveLength(1)
    clock.advance(60_000)
    await ask()
    expect(await started()).toHaveLength(2)
  })

  it('is unknown when the shell hangs, floods, fails or is missing', async () => {
    const clock = new ManualClock()
    const hanging = loginPath(await shell(`echo $$ > "\${0%/*}/pid"`, 'exec cat /dev/zero > /dev/null'), 'linux', clock)()
    const pid = await until(() => readFile(join(folder, 'pid'), 'utf8').catch(() => ''))
    clock.advance(10_000)
    expect(await hanging).toBeUndefined()
    await until(() => {
      try {
        return !process.kill(Number(pid), 0)
      } catch {
        return true
      }
    }, 'it to be ended')
    expect(await loginPath(await shell('yes'), 'linux', clock)()).toBeUndefined()
    expect(await loginPath(await shell('exit 1'), 'linux', clock)()).toBeUndefined()
    expect(await loginPath({ SHELL: join(folder, 'gone') }, 'linux', clock)()).toBeUndefined()
    expect(await loginPath({}, 'linux', clock)()).toBeUndefined()
    expect(await loginPath({ SHELL: '/bin/sh' }, 'win32', clock)()).toBeUndefined()
  })
})
