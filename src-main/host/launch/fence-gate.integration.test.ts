import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { testConnector } from '../../../e2e/support/test-connector.ts'
import { until } from '../../../e2e/support/until.ts'
import { guardedComputer, type Place, policy } from '../../../e2e/test-hosts/guarded-computer.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'

const isLinux = process.platform === 'linux'

/** The port of a service of this computer that answers HTTP. */
async function answering(): Promise<number> {
  const server = createServer((_request, response) => void response.end('served'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

// A container of Windows has tests of its own.
describe.skipIf(!(await fenceHere()) || process.platform === 'win32')('a fenced server', () => {
  it('reaches the hosts that its fence names and no other, with nothing else of the network', async () => {
    const { home, port, port6, datagramPort, sockets } = await guardedComputer()
    const web = await answering()
    const named = [`named.localhost:${web}`]
    const lifetime = new Lifetime('names')
    onTestFinished(() => lifetime.end())
    const connector = testConnector(lifetime, { lookup: async () => ['127.0.0.1'] })
    const parley = await ServerHost.open({ connector, environment: { ...process.env, HOME: home } })
    const id = await parley.ready('caller', small('reach.mjs'), { fence: policy({ hosts: named }) })
    const attempt = (name: string, place: Place) => parley.call(id, 'try', { attempt: name, place: JSON.stringify(place) })
    const url = (host: string) => ({ url: `http://${host}:${web}/` })
    expect(await attempt('fetch', url('named.localhost'))).toBe('reached: 200 served')
    expect(await attempt('open a tunnel', { authority: `named.localhost:${web}` })).toBe('reached: 200')
    expect(await attempt('let a grandchild fetch', url('named.localhost'))).toBe('reached: 200 served')
    expect(await attempt('fetch', url('other.localhost'))).toContain('refused')
    expect(await attempt('open a tunnel', { authority: `other.localhost:${web}` })).toBe('reached: 403')
    expect(await attempt('let a grandchild fetch', url('other.localhost'))).toContain('refused')
    const hasCurl = existsSync('/usr/bin/curl')
    if (hasCurl) {
      expect(await attempt('fetch by SOCKS', url('named.localhost'))).toBe('reached: served')
      expect(await attempt('fetch by SOCKS', url('other.localhost'))).toMatch(/^refused:/)
    }
    for (const [name, place] of [
      ['open a port', { host: '127.0.0.1', port: web }],
      ['open a port', { host: '127.0.0.1', port }],
      ...(port6 === undefined ? [] : [['open a port', { host: '::1', port: port6 }] as const]),
      ['open a port', { host: '192.0.2.1', port: 80 }],
      ['open a port', { host: '2001:db8::1', port: 80 }],
      ['send a datagram', { host: '127.0.0.1', port: datagramPort }],
      ['send a datagram', { host: '192.0.2.1', port: 53 }],
      ['look up a name', { name: 'example.com' }],
      ...(isLinux
        ? ([
            ['open an abstract socket', { name: sockets.abstract }],
            ['inherit a file', {}],
          ] as const)
        : []),
      ['list', { path: parley.folder }],
    ] as const) {
      expect([name, place, await attempt(name, place)]).toEqual([name, place, expect.stringMatching(/^refused:/)])
    }
    const other = { kind: 'host', name: `other.localhost:${web}` }
    await until(() => parley.record('caller').blocked !== undefined, 'the refused host to be shown')
    expect(parley.record('caller').blocked).toEqual([other, { kind: 'host', name: 'example.com', guessed: true }])
    const { refusals, record } = parley.host.servers.configured.own(id)
    expect(refusals.reaches.beyond(record.options.fence)[0]).toMatchObject({ ...other, times: hasCurl ? 4 : 3 })
    expect(await parley.log('caller')).toContain(`host: Its fence refused it other.localhost:${web}.`)
    const place = JSON.stringify(url('other.localhost'))
    const { warnings } = await parley.host.byHand.call(id, 'try', { attempt: 'fetch', place }, new AbortController().signal)
    expect(warnings).toEqual([`Its fence kept it from other.localhost:${web}.`])
    await parley.host.servers.controls.setOptions(id, { keptOut: [other.name, 'example.com'] })
    expect(parley.record('caller').blocked).toBeUndefined()
    const quiet = await parley.host.byHand.call(id, 'try', { attempt: 'fetch', place }, new AbortController().signal)
    expect(quiet.warnings).toEqual([])

    // Its own way out is nobody else's.
    const gate = Number((await attempt('have a variable', { name: 'HTTP_PROXY' })).split(':').at(-1))
    const stranger = await parley.ready('other', small('reach.mjs'), { fence: policy({ hosts: [] }) })
    const way = JSON.stringify({ host: '127.0.0.1', port: gate })
    const otherGate = await parley.call(stranger, 'try', { attempt: 'have a variable', place: '{"name":"HTTP_PROXY"}' })
    if (!otherGate.endsWith(`:${gate}`))
      expect(await parley.call(stranger, 'try', { attempt: 'open a port', place: way })).toContain('refused')
    expect(await parley.call(stranger, 'try', { attempt: 'fetch', place: JSON.stringify(url('named.localhost')) })).toContain(
      'refused',
    )
  })

  it.runIf(isLinux)('starts behind named hosts as it starts without a fence', async () => {
    const env = { NODE_OPTIONS: { text: '--max-http-header-size=12345' } }
    const parley = await ServerHost.open()
    const start = async (name: string, fence: FencePolicy | null) => {
      const id = await parley.ready(name, small('reach.mjs', ['two words', ''], env), { fence })
      return parley.call(id, 'try', { attempt: 'say how it was started', place: '{}' })
    }
    expect(await start('named', policy({ hosts: ['api.example.com'] }))).toBe(await start('open', null))
  })

  it.runIf(isLinux).each([
    ['there is no Perl', undefined],
    // A Perl of 32 bits does not know Q.
    ['Perl cannot send a socket', '#!/bin/sh\ncase "$*" in *exit*) exit 1 ;; esac\n'],
  ])('does not start behind named hosts where %s, and says what is missing', async (_where, perl) => {
    const bin = await temporaryFolder()
    if (perl) await writeFile(join(bin, 'perl'), perl, { mode: 0o755 })
    const found = (process.env.PATH ?? '').split(':').find((folder) => existsSync(join(folder, 'bwrap')))
    await symlink(join(found ?? '', 'bwrap'), join(bin, 'bwrap'))
    const environment = { ...process.env, PATH: bin }
    const parley = await ServerHost.open({ environment })
    const options = { fence: policy({ hosts: ['api.example.com'] }) }
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs'), options })
    await parley.answer('ok', 'allow')
    expect(await parley.started('ok')).toMatchObject({
      is: 'failed',
      problem: {
        code: 'no-fence',
        what: expect.stringContaining('needs Perl'),
      },
    })
  })
})
