import { describe, expect, it } from 'vitest'
import { notFoundProblem } from './program-problems.ts'
import { installRemedy } from './programs.ts'
import { usualPlaces } from './usual-places.ts'

const place = (os: string) => ({ cwd: '/', env: { PATH: '' }, os, arch: 'x64' })

describe('a program that is missing', () => {
  it.each([
    ['npx', 'win32', 'Node.js', 'winget install OpenJS.NodeJS.LTS'],
    ['C:\\Program Files\\nodejs\\npx.cmd', 'win32', 'Node.js', 'winget install OpenJS.NodeJS.LTS'],
    ['uvx', 'darwin', 'uv', 'brew install uv'],
    ['uvx', 'linux', 'uv', 'curl -LsSf https://astral.sh/uv/install.sh | sh'],
    ['python3', 'darwin', 'Python', 'brew install python'],
    ['docker', 'linux', 'Docker', undefined],
  ])('%s on %s: is had as %s', (command, os, program, typed) => {
    const [remedy] = installRemedy(command, os)
    expect(remedy).toMatchObject({ is: 'install', program, page: expect.stringMatching(/^https:\/\//) })
    expect(remedy?.is === 'install' ? remedy.command : '').toBe(typed)
  })

  it('is none of those that are known, and then only its path can be set', async () => {
    expect(installRemedy('my-own-server', 'linux')).toEqual([])
    const problem = await notFoundProblem('my-own-server', undefined, place('linux'))
    expect(problem).toMatchObject({ code: 'command-not-found', remedies: [{ is: 'edit', field: 'command' }] })
  })

  it('is found on Windows only by an app that was opened after it was installed', async () => {
    const problem = await notFoundProblem('deno', { cwd: 'C:\\', code: [], searched: ['C:\\Windows'] }, place('win32'))
    expect(problem.todo).toContain('quit Parley')
    expect(problem.said).toContain('C:\\Windows')
  })

  it('may lie where installers put it', () => {
    expect(usualPlaces({ APPDATA: 'C:\\me\\Roaming', ProgramFiles: 'C:\\Program Files' }, 'win32')).toEqual(
      expect.arrayContaining(['C:\\me\\Roaming\\npm', 'C:\\Program Files\\nodejs']),
    )
    expect(usualPlaces({ HOME: '/Users/me' }, 'darwin')).toEqual(
      expect.arrayContaining(['/Users/me/.local/bin', '/opt/homebrew/bin', '/Applications/Docker.app/Contents/Resources/bin']),
    )
    expect(usualPlaces({}, 'linux')).toContain('/snap/bin')
  })
})
