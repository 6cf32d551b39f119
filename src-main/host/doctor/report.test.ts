import { describe, expect, it } from 'vitest'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import { IN_THE_CLEAR, type ServerRecord } from '../../../src-shared/contract/servers.ts'
import { report } from './report.ts'

const problem = { code: 'exited', what: 'It ended.', said: 'boom', todo: 'Mend it.' }
const record: ServerRecord = {
  id: 'one' as ServerId,
  name: 'one',
  builtIn: false,
  launch: {
    type: 'local',
    command: 'npx',
    args: ['-y', 'a b', '--token', 'shown-nowhere'],
    env: { TOKEN: { secret: 'kept-id' }, KEY: { secret: `${IN_THE_CLEAR}KEY` }, CITY: { text: 'Rome' } },
  },
  options: DEFAULT_SERVER_OPTIONS,
  state: { is: 'failed', at: 0, problem, stderr: ['\u001b[31mline one\u001b[0m', 'line two'] },
  launchIdentity: '',
  catalog: { version: 0, tools: 2, resources: 1, templates: 1, prompts: 0, problems: [] },
}
const platform = {
  shell: 'web',
  version: '1.2.3',
  os: 'linux',
  memory: 1,
  openExternal: async () => {},
  blobLink: () => '',
} as const
const parts = { record, platform, redact: redactUnknown }

describe('the report about a server', () => {
  const text = report(parts, {
    at: 0,
    checks: [
      { id: 'command', state: 'passed', what: 'Found.' },
      { id: 'process', state: 'failed', ...problem },
    ],
    finding: problem,
  })

  it('has what was checked, what failed and its last lines', () => {
    expect(text).toContain('Parley 1.2.3 on linux')
    expect(text).toContain('Connection: npx -y "a b"')
    expect(text).toContain('Variables: TOKEN, KEY, CITY')
    expect(text).toContain('[ok] command: Found.\n[FAILED] process: It ended.')
    expect(text).toContain('Problem (exited): It ended.')
    expect(text).toContain('line one\nline two')
  })

  it('has no value of a variable, and no secret of an argument', () => {
    expect(text).not.toMatch(/kept-id|Rome|shown-nowhere/)
  })
})
