import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small } from '../../../e2e/test-hosts/server-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'

const here = await fenceHere()
const MIB = 1024 ** 2

describe('the use of the computer by a local server', () => {
  it.skipIf(process.platform === 'win32')('is the sum of its processes, and is not known once it has stopped', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    const server = parley.host.servers.configured.get(id)
    const usage = await server.usage()
    expect(usage).toMatchObject({ processes: 1 })
    expect(usage?.memory).toBeGreaterThan(10 * MIB)
    expect(usage?.cpuMs).toBeGreaterThan(0)
    await parley.host.servers.controls.stop(id)
    expect(await server.usage()).toBeNull()
  })

  it.skipIf(!here)('ends it above half of the computer’s memory if it is fenced, and says so', async () => {
    const clock = new ManualClock(systemClock.now())
    const parley = await ServerHost.open({ clock, platform: { memory: 8 * MIB } })
    await parley.ready('open', small('ok.mjs'))
    await parley.ready('closed', small('ok.mjs'), { fence: { network: 'none', folders: [] } })
    const problem = await until(() => {
      const { state } = parley.record('closed')
      // A look may begin before the server is watched, or meet a process that ends; the next one comes later.
      if (state.is !== 'restarting') clock.advance(1000)
      return state.is === 'restarting' ? state.problem : undefined
    }, 'its end')
    expect(problem).toMatchObject({ code: 'over-limit', todo: 'Ask it for less at a time.' })
    expect(problem.what).toMatch(/^“closed” used 0\.\d GiB of memory\. Its fence allows 0\.0 GiB, half of this computer’s\.$/)
    expect(parley.record('open').state.is).toBe('ready')
    clock.advance(1000)
    await until(() => parley.record('closed').state.is === 'ready', 'the next start')
  })
})
