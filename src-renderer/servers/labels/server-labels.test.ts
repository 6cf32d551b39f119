import { describe, expect, it } from 'vitest'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import { IN_THE_CLEAR, type Launch, type ServerRecord } from '../../../src-shared/contract/servers.ts'
import { passesLogFilter, SHOW_ALL } from '../log/log-filter.ts'
import { launchEnd, offerLine, readyLine, saidLine, stateLabel, stateSentence } from './server-labels.ts'

const server: ServerRecord = {
  id: 'one' as ServerId,
  name: 'one',
  builtIn: false,
  launch: {
    type: 'local',
    command: 'npx',
    args: ['-y', 'a b'],
    env: { TOKEN: { secret: 'kept-id' }, KEY: { secret: `${IN_THE_CLEAR}KEY` } },
  },
  options: DEFAULT_SERVER_OPTIONS,
  state: { is: 'ready', since: 0 },
  launchIdentity: '',
  catalog: { version: 0, tools: 2, resources: 1, templates: 1, prompts: 0, problems: [] },
}
const failed: ServerRecord = {
  ...server,
  state: {
    is: 'failed',
    at: 0,
    problem: { code: 'exited', what: 'It ended.', said: 'boom', todo: 'Mend it.' },
    stderr: ['\u001b[31mline one\u001b[0m', 'line two'],
  },
}
const off: ServerRecord = {
  ...server,
  options: { ...DEFAULT_SERVER_OPTIONS, enabled: false },
  state: { is: 'stopped', why: 'not-enabled' },
}

describe('the texts about servers', () => {
  it('count ready ones and separate those that are off', () => {
    expect(readyLine([server, failed, off])).toBe('1 of 2 servers ready, 1 off')
    expect(readyLine([server])).toBe('1 of 1 server ready')
  })

  it('name what a server offers and omit what it does not', () => {
    expect(offerLine(server.catalog)).toBe('2 tools · 2 resources')
  })

  it('keep the end of a command, which tells servers apart, and cut its long paths', () => {
    const path = '/home/ana/node_modules/server-filesystem/dist/index.js'
    const launch = { type: 'local', command: 'node', args: [path, '/tmp', '--root=/a/b/c/d/e'] } as unknown as Launch
    expect(launchEnd(launch)).toBe('node …/server-filesystem/dist/index.js /tmp --root=/a/b/c/d/e')
  })

  it('call a server with a wrong entry unusable', () => {
    const broken = { ...server, state: { is: 'stopped', why: 'not-started' }, problem: { code: 'x', what: 'y' } } as const
    expect(stateLabel(broken)).toEqual({ tone: 'fail', word: 'Unusable' })
  })

  it('say of a server that is not needed when it starts, and nothing more', () => {
    const idle = { ...server, state: { is: 'idle', since: 0, why: 'not-needed' } } as const
    expect(stateLabel(idle)).toEqual({ tone: 'idle', word: 'Starts when needed' })
    expect(stateSentence(idle)).toBeUndefined()
    const unused = { ...server, state: { ...idle.state, why: 'unused' } } as const
    expect(stateSentence(unused)).toBeUndefined()
    expect(readyLine([idle, unused])).toBe('2 of 2 servers ready')
  })

  it('show the first line of a server’s error', () => {
    expect(saidLine({ code: 'exited', what: 'It ended.', said: '\nError: KEY is not set\n  at x' })).toBe('Error: KEY is not set')
    expect(saidLine({ code: 'exited', what: 'It ended.' })).toBeUndefined()
  })
})

describe('the filter of the log', () => {
  const line = { n: 1, at: 0, source: 'log', level: 'info', logger: 'db', text: 'Opened' } as const

  it('selects by source, level and words, the logger’s name included', () => {
    expect(passesLogFilter(line, SHOW_ALL)).toBe(true)
    expect(passesLogFilter(line, { ...SHOW_ALL, source: 'stderr' })).toBe(false)
    expect(passesLogFilter(line, { ...SHOW_ALL, level: 'warning' })).toBe(false)
    expect(passesLogFilter(line, { ...SHOW_ALL, search: 'OPEN' })).toBe(true)
    expect(passesLogFilter(line, { ...SHOW_ALL, search: 'db' })).toBe(true)
    expect(passesLogFilter(line, { ...SHOW_ALL, search: 'closed' })).toBe(false)
  })

  it('never takes a program’s output for a lower level', () => {
    expect(passesLogFilter({ n: 1, at: 0, source: 'stderr', text: 'x' }, { ...SHOW_ALL, level: 'emergency' })).toBe(true)
  })
})
