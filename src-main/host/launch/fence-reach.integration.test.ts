import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { policy } from '../../../e2e/test-hosts/guarded-computer.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'

// A container of Windows has tests of its own.
describe.skipIf(!(await fenceHere()) || process.platform === 'win32')('a fenced server', () => {
  it('reads the packages of its workspace that it depends on, and no other', async () => {
    const home = await temporaryFolder()
    const [installed, packages] = [join(home, 'all/node_modules'), join(home, 'all/packages')]
    const write = async (folder: string, file: string, text: string, dependencies = {}) => {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, file), text)
      const described = { name: basename(folder), type: 'module', exports: `./${file}`, dependencies }
      await writeFile(join(folder, 'package.json'), JSON.stringify(described))
    }
    const [server = ''] = small('reach.mjs').args
    const code = await readFile(server, 'utf8')
    await write(join(packages, 'own'), 'server.mjs', code.replace("'./wire.mjs'", "'linked'"), {
      linked: '*',
      disguised: '*',
      outside: '*',
    })
    await write(join(packages, 'linked'), 'all.mjs', "export * from 'further'", { further: '*' })
    await write(join(packages, 'further'), 'all.mjs', "export * from 'shared'", { shared: '*' })
    await write(join(installed, 'shared'), 'wire.mjs', await readFile(join(dirname(server), 'wire.mjs'), 'utf8'))
    await write(join(packages, 'other'), 'all.mjs', '')
    await write(join(home, 'outside'), 'all.mjs', '')
    for (const name of ['linked', 'further', 'other']) await symlink(join(packages, name), join(installed, name))
    await symlink(join(packages, 'other'), join(installed, 'disguised'))
    await mkdir(join(packages, 'own/node_modules'))
    await symlink(join(home, 'outside'), join(packages, 'own/node_modules/outside'))
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const launch = { type: 'local' as const, command: process.execPath, args: [join(packages, 'own/server.mjs')], env: {} }
    const id = await parley.ready('workspace', launch, { fence: policy('none') })
    for (const folder of [join(packages, 'other'), join(home, 'outside')]) {
      const place = JSON.stringify({ path: join(folder, 'package.json') })
      expect(await parley.call(id, 'try', { attempt: 'read', place })).toContain('refused')
    }
  })

  it('does not start where its own home folder leads elsewhere', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'), { fence: policy('none') })
    await parley.host.servers.controls.stop(id)
    const homes = join(parley.folder, 'homes')
    const [own = ''] = await readdir(homes)
    await rm(join(homes, own), { recursive: true })
    await symlink(await temporaryFolder(), join(homes, own), 'junction')
    await parley.host.servers.controls.start(id)
    expect(await parley.started('ok')).toMatchObject({
      is: 'failed',
      problem: {
        code: 'fence-folder',
        what: expect.stringContaining('leads elsewhere'),
      },
    })
  })

  it('does not start where a folder would undo its fence', async () => {
    const home = await temporaryFolder()
    await mkdir(join(home, '.ssh'))
    await mkdir(join(home, '.config/unknown-app'), { recursive: true })
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const places = [
      '/',
      home,
      join(home, '.ssh'),
      join(home, '.config/unknown-app'),
      join(home, '..'),
      parley.folder,
      join(parley.folder, 'homes'),
      '/etc',
      '/proc/self',
      'here',
    ]
    for (const [at, path] of places.entries()) {
      const name = `server-${at}`
      await parley.host.servers.edits.add({
        name,
        launch: small('ok.mjs'),
        options: { fence: policy('none', { path, write: false }) },
      })
      await parley.answer(name, 'allow')
      expect(await parley.started(name)).toMatchObject({
        is: 'failed',
        problem: {
          code: 'fence-folder',
          what: expect.stringContaining(path),
        },
      })
    }
  })
})
