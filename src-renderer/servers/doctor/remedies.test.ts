import { describe, expect, it } from 'vitest'
import type { Problem, Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import type { ServerRecord, ServerState } from '../../../src-shared/contract/servers.ts'
import { appliesTo, withValue } from './apply-remedy.ts'
import { firstRemedy } from './first-remedy.ts'
import { remedyLabel } from './remedy-labels.ts'

const local: ServerRecord = {
  id: 'files' as ServerId,
  name: 'files',
  launch: { type: 'local', command: 'npx', args: [], env: {} },
  builtIn: false,
  options: DEFAULT_SERVER_OPTIONS,
  state: { is: 'ready', since: 0 },
  launchIdentity: 'x',
  catalog: { version: 0, tools: 0, resources: 0, templates: 0, prompts: 0, problems: [] },
}
const remote: ServerRecord = { ...local, launch: { type: 'remote', url: 'https://far.example/mcp', headers: {} } }
const failed = (...remedies: Remedy[]): ServerState => {
  const problem: Problem = { code: 'exited', what: 'It ended.', remedies }
  return { is: 'failed', at: 0, problem, stderr: [] }
}

describe('the button of a server that does not run', () => {
  it('is the best remedy of its kind, or else another try', () => {
    const variable: Remedy = { is: 'set-variable', name: 'KEY' }
    const both = failed(variable, { is: 'open-log' })
    expect(firstRemedy({ ...local, state: both })).toEqual(variable)
    expect(firstRemedy({ ...remote, state: both })).toEqual({ is: 'open-log' })
    expect(firstRemedy({ ...local, state: failed() })).toEqual({ is: 'start' })
    expect(firstRemedy(local)).toBeUndefined()
  })

  it('is a sign-in where one is needed and not running, and a link to an open question', () => {
    const state: ServerState = { is: 'needs-sign-in', since: 0, problem: { code: 'sign-in', what: 'It requires sign-in.' } }
    expect(firstRemedy({ ...remote, state })).toEqual({ is: 'sign-in' })
    expect(firstRemedy({ ...remote, state, signIn: { is: 'needed', reason: 'first' } })).toEqual({ is: 'sign-in' })
    expect(firstRemedy({ ...remote, state, signIn: { is: 'asking' } })).toBeUndefined()
    expect(firstRemedy({ ...local, state: { is: 'asking', since: 0 } })).toEqual({ is: 'review' })
  })
})

describe('a remedy', () => {
  it.each<[Remedy, { local: boolean; remote: boolean; builtIn: boolean }]>([
    [
      { is: 'set-variable', name: 'KEY' },
      { local: true, remote: false, builtIn: false },
    ],
    [
      { is: 'set-header', name: 'Authorization' },
      { local: false, remote: true, builtIn: false },
    ],
    [
      { is: 'use-command', command: '/usr/bin/npx' },
      { local: true, remote: false, builtIn: false },
    ],
    [
      { is: 'use-words', command: 'npx', args: ['-y', 'a'] },
      { local: true, remote: false, builtIn: false },
    ],
    [
      { is: 'use-address', url: 'https://far.example/sse' },
      { local: false, remote: true, builtIn: false },
    ],
    [
      { is: 'edit', field: 'command' },
      { local: true, remote: true, builtIn: false },
    ],
    [{ is: 'start' }, { local: true, remote: true, builtIn: true }],
  ])('%o applies to %o', (remedy, expected) => {
    const builtIn = appliesTo(remedy, { type: 'built-in' })
    expect({ local: appliesTo(remedy, local.launch), remote: appliesTo(remedy, remote.launch), builtIn }).toEqual(expected)
  })

  it('sets a value: a header once in any case, a bare token as Bearer', () => {
    const launch = withValue(local.launch, { is: 'set-variable', name: 'KEY' }, 'v')
    expect(launch).toEqual({ ...local.launch, env: { KEY: { text: 'v' } } })
    const known = { ...remote.launch, headers: { authorization: { secret: 'kept' }, 'x-team': { text: 'a' } } }
    const header: Extract<Remedy, { name: string }> = { is: 'set-header', name: 'Authorization' }
    expect(withValue(known, header, 't0ken')).toMatchObject({
      headers: { 'x-team': { text: 'a' }, Authorization: { text: 'Bearer t0ken' } },
    })
    expect(withValue(known, header, 't0ken')).not.toHaveProperty('headers.authorization')
    expect(withValue(remote.launch, header, 'Basic abc')).toMatchObject({ headers: { Authorization: { text: 'Basic abc' } } })
  })

  it('says on its button what it does, with the end of long places and nothing hidden', () => {
    expect(remedyLabel({ is: 'set-variable', name: 'GITHUB_TOKEN' })).toBe('Set GITHUB_TOKEN')
    expect(remedyLabel({ is: 'use-command', command: '/opt/homebrew/bin/npx' })).toBe('Use /opt/homebrew/bin/npx')
    const label = remedyLabel({ is: 'use-command', command: `/home/me/${'deep/'.repeat(20)}bin/npx` })
    expect(label).toMatch(/^Use ….*\/bin\/npx$/)
    expect(label.length).toBeLessThan(50)
    expect(remedyLabel({ is: 'set-variable', name: 'A\u202eB' })).not.toContain('\u202e')
  })
})
