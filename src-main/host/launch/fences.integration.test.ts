import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { policy } from '../../../e2e/test-hosts/guarded-computer.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'

// A container of Windows has tests of its own.
describe.skipIf(!(await fenceHere()) || process.platform === 'win32')('a fenced server', () => {
  it.each([
    ['npx', ['-y'], '--package', 'npm_config_offline'],
    ['uvx', ['--python', '3.12'], '--from', 'UV_OFFLINE'],
  ])(
    'that %s starts leaves nothing to the download of its next start, which has the network',
    async (runner, before, downloads, offline) => {
      const [home, bin] = [await temporaryFolder(), await temporaryFolder()]
      const [server = ''] = small('reach.mjs').args
      const lines = [
        '#!/bin/sh',
        `case "$*" in *${downloads}*) echo "home: $(ls -A "$HOME" | grep -vx tmp)" "$(cat "$HOME/.npm/package")" >&2; mkdir -p "$HOME/.npm";`,
        `printf downloaded > "$HOME/.npm/package"; exit;; esac`,
        `exec ${process.execPath} ${server}`,
      ]
      await writeFile(join(bin, runner), lines.join('\n'), { mode: 0o755 })
      const parley = await ServerHost.open({ environment: { ...process.env, HOME: home, PATH: `${bin}:${process.env.PATH}` } })
      const code = [dirname(process.execPath), dirname(server)].map((path) => ({ path, write: false }))
      const launch = { type: 'local' as const, command: runner, args: [...before, 'parley-fenced'], env: {} }
      const id = await parley.ready('packaged', launch, { fence: policy('none', ...code) })
      const attempt = (attempt: string, name: string) =>
        parley.call(id, 'try', { attempt, place: JSON.stringify({ path: `~/${name}` }) })
      expect(await attempt('read', '.npm/package')).toBe('reached: downloaded')
      expect(await parley.call(id, 'try', { attempt: 'have a variable', place: JSON.stringify({ name: offline }) })).toContain(
        'reached',
      )
      for (const name of ['.npmrc', '.npm/package']) expect(await attempt('write', name)).toContain('reached')
      const told = async () => (await parley.log('packaged')).filter((line) => line.includes('home:'))
      const restart = async () => {
        await parley.host.servers.controls.restart(id)
        await parley.until('packaged', 'ready')
      }
      // A package that was downloaded and starts is not looked up again for a day.
      const homes = join(parley.folder, 'homes')
      const [own = ''] = (await readdir(homes)).filter((name) => name.endsWith('-packages'))
      const noted = join(homes, `${own}.fetched`)
      const isNoted = () => existsSync(noted) && readFileSync(noted, 'utf8') !== ''
      await until(isNoted, 'the download to be noted')
      await restart()
      expect(await told()).toHaveLength(1)
      await until(isNoted, 'the download to be noted again')
      await writeFile(noted, '0')
      await restart()
      expect(await told()).toHaveLength(2)
      expect((await told()).at(-1)).toContain('home: .npm downloaded')
      expect(await attempt('read', '.npmrc')).toBe('reached: written')
    },
  )

  it('says that its package could not be downloaded, not how its start without the network ended', async () => {
    const bin = await temporaryFolder()
    const lines = [
      '#!/bin/sh',
      'case "$*" in *--package*) echo "npm error code ENOTFOUND" >&2; echo "npm error network request to https://packages.example/x failed" >&2;; esac',
      'exit 1',
    ]
    await writeFile(join(bin, 'npx'), lines.join('\n'), { mode: 0o755 })
    const parley = await ServerHost.open({ environment: { ...process.env, PATH: `${bin}:${process.env.PATH}` } })
    const launch = { type: 'local' as const, command: 'npx', args: ['-y', 'parley-fenced'], env: {} }
    await parley.host.servers.edits.add({ name: 'packaged', launch, options: { fence: policy('none') } })
    await parley.answer('packaged', 'allow')
    expect(await parley.started('packaged')).toMatchObject({
      is: 'failed',
      problem: {
        code: 'download-failed',
        what: expect.stringContaining('could not be downloaded'),
        said: expect.stringContaining('https://packages.example/x'),
        todo: expect.stringContaining('Its fence allows downloads only before it starts'),
      },
    })
  })
})
