import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { guardedComputer, type Place, policy } from '../../../e2e/test-hosts/guarded-computer.ts'
import { ServerHost, small } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

// A container of Windows has tests of its own.
describe.skipIf(!(await fenceHere()) || process.platform === 'win32')('a fenced server', () => {
  it('is said to have needed what its errors name and its fence hides, as a guess', async () => {
    const { home, files, reading } = await guardedComputer()
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const fence = policy('none', { path: reading, write: false })
    const id = await parley.ready('caller', small('reach.mjs'), { fence })
    const warned = async (attempt: string, place: Place) => {
      const args = { attempt, place: JSON.stringify(place) }
      return (await parley.host.byHand.call(id, 'try', args, new AbortController().signal)).warnings
    }
    const needed = (what: string) => [`It may have needed ${what}, which its fence blocks.`]
    expect(await warned('read', { path: files.note })).toEqual(needed(join(home, 'notes')))
    expect(await warned('read', { path: files.key })).toEqual(needed(files.key))
    expect(await warned('look up a name', { name: 'api.example.com' })).toEqual(needed('api.example.com'))
    expect(await warned('fetch', { url: 'http://192.0.2.1/' })).toEqual(needed('the network'))
    // Nobody has these, so that no fence hides them.
    expect(await warned('read', { path: join(home, '.config/caller/settings.json') })).toEqual([])
    expect(await warned('read', { path: join(home, 'nowhere/settings.json') })).toEqual([])
    expect(await warned('read', { path: join(reading, 'missing.txt') })).toEqual([])
    // Keys stay out of every fence, so that there is nothing to decide.
    expect(parley.record('caller').blocked?.map(({ name }) => name)).toEqual([join(home, 'notes'), 'api.example.com', '*'])

    const script = `require('node:fs').readFileSync(${JSON.stringify(files.note)})`
    const launch = { type: 'local' as const, command: process.execPath, args: ['--eval', script], env: {} }
    await parley.host.servers.edits.add({ name: 'dying', launch, options: { fence } })
    await parley.answer('dying', 'allow')
    await until(() => parley.record('dying').blocked !== undefined, 'the guess to be shown')
    expect(parley.record('dying').blocked).toEqual([{ kind: 'folder', name: join(home, 'notes'), guessed: true }])
    await parley.host.servers.controls.setOptions('dying' as ServerId, { fence: null })
    expect(parley.record('dying').blocked).toBeUndefined()
  })
})
