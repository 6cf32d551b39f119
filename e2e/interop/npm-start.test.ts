import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ShellProcess } from '../shells/shell-process.ts'
import { until } from '../support/until.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-npm-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** As a person types it: `npm start -- …`, here without a display. */
function npmStart(args: readonly string[]): ShellProcess {
  const shell = new ShellProcess('npm', ['start', '--silent', '--', ...args], { DISPLAY: '', WAYLAND_DISPLAY: '' })
  onTestFinished(() => shell.kill9())
  return shell
}

describe('npm start', () => {
  it('prints its usage', async () => {
    const shell = npmStart(['--help'])
    expect(await shell.ended()).toBe(0)
    for (const option of ['--web', '--data', '--port', '--no-open', '--dev']) expect(shell.output()).toContain(option)
  })

  it('names an unknown option and ends with 1', async () => {
    const shell = npmStart(['--colour'])
    expect(await shell.ended()).toBe(1)
    expect(shell.output()).toContain("'--colour'")
  })

  it('opens the web shell where no desktop can open and says why in one line', async () => {
    const shell = npmStart(['--data', folder, '--no-open'])
    await shell.printed(LINK)
    expect(shell.output()).toMatch(
      /^(There is no display|The desktop app does not run as root).*Opening in the browser instead\.$/m,
    )
  })

  it('leaves nothing running when npm alone is told to end', async () => {
    const shell = npmStart(['--web', '--data', folder, '--no-open'])
    const [link] = await shell.printed(LINK)
    await shell.stop('SIGTERM')
    await until(
      () =>
        fetch(new URL(link).origin).then(
          () => false,
          () => true,
        ),
      'the web shell to end',
    )
    const again = npmStart(['--web', '--data', folder, '--no-open'])
    await again.printed(LINK)
  })
})
