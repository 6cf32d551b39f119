import { describe, expect, it } from 'vitest'
import { candidatesFor } from './resolve-command.ts'

const WINDOWS = { Path: 'C:\\Windows;relative;C:\\Program Files\\nodejs', PATHEXT: '.EXE;.CMD' }
const files = (command: string, env: Record<string, string> = WINDOWS) => candidatesFor(command, env, 'C:\\me', 'win32').files

describe('the candidates for a command on Windows', () => {
  it('have the extensions of PATHEXT, in its order, in each folder of PATH, in any spelling', () => {
    expect(files('npx')).toEqual([
      'C:\\Windows\\npx.EXE',
      'C:\\Windows\\npx.CMD',
      'C:\\Program Files\\nodejs\\npx.EXE',
      'C:\\Program Files\\nodejs\\npx.CMD',
    ])
    expect(files('npx', { PATH: 'C:\\bin' })).toContain('C:\\bin\\npx.CMD')
  })

  it('begin with the named file, when it has such an extension', () => {
    expect(files('npx.cmd')[0]).toBe('C:\\Windows\\npx.cmd')
    expect(files('server.py')).not.toContain('C:\\Windows\\server.py')
  })

  it('are below the working folder when the command is a path', () => {
    expect(files('tools\\run')).toEqual(['C:\\me\\tools\\run.EXE', 'C:\\me\\tools\\run.CMD'])
    expect(files('D:/run.exe')[0]).toBe('D:\\run.exe')
  })
})

describe('the candidates for a command elsewhere', () => {
  it('have no extensions, and the folders are separated by colons', () => {
    const { files, searched } = candidatesFor('npx', { PATH: '/a:relative:/b', PATHEXT: '.CMD' }, '/me', 'linux')
    expect(files).toEqual(['/a/npx', '/b/npx'])
    expect(searched).toEqual(['/a', '/b'])
    expect(candidatesFor('C:\\npx', { PATH: '/a' }, '/me', 'darwin').files).toEqual(['/a/C:\\npx'])
  })
})
