import { expect, it } from 'vitest'
import type { ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import { serverProblems } from './selectors.ts'

const at = { at: 0, problem: { code: 'x', what: 'x' }, stderr: [] }
const STATES: Readonly<Record<string, ServerState>> = {
  ready: { is: 'ready', since: 0 },
  failed: { is: 'failed', ...at },
  starting: { is: 'starting', since: 0, step: 'launching', attempt: 1 },
  stopped: { is: 'stopped', why: 'stopped' },
  asking: { is: 'asking', since: 0 },
}

function amiss(...words: readonly string[]) {
  const servers = words.map((word, n) => {
    const [state = '', more] = word.split(' ')
    // Only what is looked at.
    return { id: `s${n}`, state: STATES[state], options: { enabled: more !== 'off' } } as ServerRecord
  })
  return serverProblems(Object.fromEntries(servers.map((server) => [server.id, server])))
}

it('counts servers that failed and that wait for the person, and tells if others are starting', () => {
  expect(amiss('ready', 'stopped')).toEqual({ failed: 0, waitingForPerson: 0, starting: false })
  expect(amiss('failed', 'failed', 'failed off', 'ready')).toEqual({ failed: 2, waitingForPerson: 0, starting: false })
  expect(amiss('failed', 'starting')).toEqual({ failed: 1, waitingForPerson: 0, starting: true })
  expect(amiss('asking', 'asking off', 'ready')).toEqual({ failed: 0, waitingForPerson: 1, starting: false })
})
