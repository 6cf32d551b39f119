import { describe, expect, it } from 'vitest'
import { endTree, startTimeOf } from './system-programs.ts'

const WINDOWS = { SystemRoot: 'D:\\Windows', PATH: 'C:\\evil' }

describe('programs of the system', () => {
  it('are called by their path, never by PATH', () => {
    expect(endTree(7, WINDOWS).program).toBe('D:\\Windows\\System32\\taskkill.exe')
    expect(startTimeOf(7, true, WINDOWS).program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(startTimeOf(7, true, {}).program).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(startTimeOf(7, false, {})).toEqual({ program: '/bin/ps', args: ['-o', 'lstart=', '-p', '7'] })
  })

  it('end a process tree on Windows by force, since console programs cannot be asked', () => {
    expect(endTree(7, WINDOWS).args).toEqual(['/PID', '7', '/T', '/F'])
  })
})
