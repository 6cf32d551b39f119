import { describe, expect, it } from 'vitest'
import { allProcesses, endTree, parseProcesses, startTimeOf } from './system-programs.ts'

const WINDOWS = { SystemRoot: 'D:\\Windows', PATH: 'C:\\evil' }

describe('programs of the system', () => {
  it('are called by their path, never by PATH', () => {
    expect(endTree(7, WINDOWS).program).toBe('D:\\Windows\\System32\\taskkill.exe')
    expect(startTimeOf(7, true, WINDOWS).program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(startTimeOf(7, true, {}).program).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(startTimeOf(7, false, {})).toEqual({ program: '/bin/ps', args: ['-o', 'lstart=', '-p', '7'] })
  })

  it('list the processes of macOS with their memory and time', () => {
    expect(allProcesses().program).toBe('/bin/ps')
    const printed = '    7     1     7  2048   0:01.50\n   812     7     7   100  3-02:01:00.00\n\n'
    expect(parseProcesses(printed)).toEqual([
      { pid: 7, parent: 1, group: 7, memory: 2_097_152, cpuMs: 1500 },
      { pid: 812, parent: 7, group: 7, memory: 102_400, cpuMs: ((3 * 24 + 2) * 60 + 1) * 60_000 },
    ])
  })

  it('end a process tree on Windows by force, since console programs cannot be asked', () => {
    expect(endTree(7, WINDOWS).args).toEqual(['/PID', '7', '/T', '/F'])
  })
})
