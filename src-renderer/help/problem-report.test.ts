import { describe, expect, it } from 'vitest'
import { emptySnapshot, type HostSnapshot } from '../../src-shared/contract/events.ts'
import { problemReport } from './problem-report.ts'

const window = { browser: 'Chrome/150', failures: [] }

describe('a report of a problem', () => {
  it('has the versions, and says when nothing is wrong', () => {
    const text = problemReport({ ...emptySnapshot, version: '1.2.3', platform: 'Linux' }, window)
    expect(text).toContain('Parley 1.2.3, in the browser, Linux\nChrome/150\n')
    expect(text).toContain('No errors now.')
  })

  it('has the errors of servers, models and the window, without keys and without the name of the home folder', () => {
    const said = 'Authorization: Bearer abcdef123456 in /home/ada/notes.txt and C:\\Users\\ada\\x'
    const server = {
      name: 'files',
      launch: { type: 'local' },
      state: { is: 'failed', problem: { code: 'exited', what: 'It ended.', said } },
    }
    const provider = { name: 'Gate', kind: 'openai', problem: { code: 'unreachable', what: 'No answer to sk-abcdefghijklmnop.' } }
    const host = { ...emptySnapshot, servers: { files: server }, providers: [provider] } as unknown as HostSnapshot
    const text = problemReport(host, { ...window, failures: [{ at: 0, text: 'The disk is full.' }] })
    expect(text).toContain('- Server files (local): [exited] It ended. It said: Authorization: ‹redacted›')
    expect(text).toContain('- Models Gate (openai): [unreachable] No answer to ‹redacted›')
    expect(text).toContain('- 1970-01-01T00:00:00.000Z The disk is full.')
    for (const secret of ['abcdef', 'sk-', 'ada']) expect(text).not.toContain(secret)
  })
})
