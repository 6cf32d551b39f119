import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { Random } from '../fuzz/random.ts'
import { processes } from '../shells/web-process.ts'
import { until } from '../support/until.ts'
import { ServerHost, small } from '../test-hosts/server-host.ts'

const SEED = Number(process.env.ORPHANS_SEED ?? 99)
const SERVERS = 10
const STEPS = process.env.PARLEY_LONG === '1' ? 400 : 30
const VARIABLE = 'LEAVES_BEHIND'

/** Living processes that a server with this value of the variable is or has started, wherever they went. */
function left(value: string): readonly string[] {
  const mark = `${VARIABLE}=${value}`
  return processes(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)).map(
    ({ pid, command }) => `${pid} ${command}`,
  )
}

const leaver = (value: string, deaf: boolean) => small('leaves-behind.mjs', deaf ? ['deaf'] : [], { [VARIABLE]: { text: value } })

describe.runIf(process.platform === 'linux')('a server that starts processes in sessions of their own', () => {
  it.each([false, true])(
    'leaves none of them behind when it is stopped, nor when Parley ends (they ignore SIGTERM: %s)',
    async (deaf) => {
      const mark = randomUUID()
      const parley = await ServerHost.open()
      const id = await parley.ready('one', leaver(mark, deaf))
      await until(() => left(mark).length === 2, 'the server and what it started')
      await parley.host.servers.controls.stop(id)
      expect(left(mark)).toEqual([])
      await parley.host.servers.controls.start(id)
      await until(() => left(mark).length === 2, 'the server and what it started')
      await parley.end()
      expect(left(mark)).toEqual([])
    },
  )

  it(`leaves nothing behind after ${STEPS} random steps over ${SERVERS} servers (seed ${SEED})`, async () => {
    const run = randomUUID()
    const random = new Random(SEED)
    const parley = await ServerHost.open()
    const { controls, edits, configured } = parley.host.servers
    const whole = async (name: string) => {
      await parley.until(name, 'ready')
      await until(() => left(`${run}-${name}`).length === 2, `${name} and what it started, once`)
    }
    const act = async (name: string, step: number, deaf: boolean) => {
      const id = name as ServerId
      const mark = `${run}-${name}`
      if (!configured.find(id)) return void (await parley.ready(name, leaver(mark, deaf)))
      const up = parley.record(name).state.is === 'ready'
      if (step < 0.3) {
        await controls.stop(id)
        expect(left(mark)).toEqual([])
      } else if (step < 0.45) {
        await edits.remove(id)
        await until(() => left(mark).length === 0, `the end of ${name}`)
      } else if (!up) {
        await controls.start(id)
        await whole(name)
      } else if (step < 0.7) {
        await controls.restart(id)
        await whole(name)
      } else {
        for (const found of left(mark)) if (found.includes('leaves-behind')) process.kill(Number.parseInt(found, 10), 'SIGKILL')
        await until(() => parley.record(name).state.is !== 'ready', `${name} to be missed`)
        await controls.start(id)
        await whole(name)
      }
    }
    const lanes = Array.from({ length: SERVERS }, async (_, n) => {
      for (const step of Array.from({ length: STEPS / SERVERS }, () => random.next())) await act(`s${n}`, step, n % 3 === 0)
    })
    const outcomes = await Promise.allSettled(lanes)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    await parley.end()
    for (let n = 0; n < SERVERS; n++) expect(left(`${run}-s${n}`)).toEqual([])
  })
})
