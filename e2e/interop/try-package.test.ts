import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tryPackage } from '../scripts/try-package.ts'
import { chromiumPath } from '../shells/chromium.ts'
import { node, root } from '../shells/shell-process.ts'
import { processes } from '../shells/web-process.ts'
import { until } from '../support/until.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-try-'))
})

afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function program(script: string): Promise<string> {
  await writeFile(join(folder, 'app.mjs'), script)
  const path = join(folder, 'app')
  await writeFile(path, `#!/bin/sh\nTRIED_IN="${folder}" exec "${node}" "${join(folder, 'app.mjs')}" "$@"\n`)
  await chmod(path, 0o755)
  return path
}

/** Commands of what still runs of it. */
function left(): string[] {
  const mark = `TRIED_IN=${folder}`
  return processes(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)).map(
    ({ command }) => command,
  )
}

/** In the place of a packaged app: the same host and page, the page in a Chromium that can be driven. Ends with `code` when asked to. */
const standIn = (code: number) => `
  import { spawn } from 'node:child_process'
  const data = process.argv[process.argv.indexOf('--data') + 1]
  const web = spawn(process.execPath, [${JSON.stringify(join(root, 'out/main/web.js'))}, '--no-open', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let browser
  web.stdout.on('data', (text) => {
    const link = /http:\\S+/.exec(text)?.[0]
    if (!link || browser) return
    const profile = '--user-data-dir=' + data + '/chromium'
    browser = spawn(${JSON.stringify(chromiumPath())}, ['--headless', '--no-sandbox', '--remote-debugging-port=0', profile, link], {
      stdio: 'inherit',
      detached: true,
    })
    console.log('Parley is open.')
  })
  process.on('SIGTERM', () => {
    browser.once('exit', () => web.kill())
    web.once('exit', () => process.exit(${code}))
    // Chromium may be started by a script, which alone would hear of it.
    process.kill(-browser.pid)
  })`

describe.skipIf(process.platform !== 'linux')('the trial of a packaged app', () => {
  it('starts it on an empty folder, makes a tool call as a newcomer does, and asks it to end', async () => {
    expect(await tryPackage(await program(standIn(0)))).toContain('2 + 3 = 5')
    await until(() => left().length === 0, 'all that was started to end')
  })

  it('fails when the app does not end properly', async () => {
    await expect(tryPackage(await program(standIn(7)))).rejects.toThrow('It ended with 7')
    await until(() => left().length === 0, 'all that was started to end')
  })

  it('fails with the app’s output when it opens nothing', async () => {
    const refuses = await program("console.error('Parley did not start: no window'); process.exit(3)")
    await expect(tryPackage(refuses)).rejects.toThrow(/did not print .*Parley is open[\s\S]*Parley did not start: no window/)
  })
})
