import { describe, expect, it } from 'vitest'
import { TransportError } from '../../protocol/peer/transport.ts'
import { explainFailure } from './explain-failure.ts'
import { faultProblem, notFoundProblem } from './program-problems.ts'
import { installRemedy } from './programs.ts'
import { programPlaces } from './usual-places.ts'

const place = (os: string) => ({ cwd: '/', env: { PATH: '' }, os, arch: 'x64' })

describe('a missing program', () => {
  it.each([
    ['npx', 'win32', 'Node.js', 'winget install OpenJS.NodeJS.LTS'],
    ['C:\\Program Files\\nodejs\\npx.cmd', 'win32', 'Node.js', 'winget install OpenJS.NodeJS.LTS'],
    ['uvx', 'darwin', 'uv', 'brew install uv'],
    ['uvx', 'linux', 'uv', 'curl -LsSf https://astral.sh/uv/install.sh | sh'],
    ['python3', 'darwin', 'Python', 'brew install python'],
    ['docker', 'linux', 'Docker', undefined],
  ])('%s on %s is available as %s', (command, os, program, typed) => {
    const [remedy] = installRemedy(command, os)
    expect(remedy).toMatchObject({ is: 'install', program, page: expect.stringMatching(/^https:\/\//) })
    expect(remedy?.is === 'install' ? remedy.command : '').toBe(typed)
  })

  it('can only be given by its path when it is unknown', async () => {
    expect(installRemedy('my-own-server', 'linux')).toEqual([])
    const problem = await notFoundProblem('my-own-server', undefined, place('linux'))
    expect(problem).toMatchObject({ code: 'command-not-found', remedies: [{ is: 'edit', field: 'command' }] })
  })

  it('is found on Windows only by an app opened after its installation', async () => {
    const problem = await notFoundProblem('deno', { cwd: 'C:\\', code: [], searched: ['C:\\Windows'] }, place('win32'))
    expect(problem.todo).toContain('quit Parley')
    expect(problem.said).toContain('C:\\Windows')
  })

  it('is also searched where installers put it', () => {
    expect(programPlaces({ APPDATA: 'C:\\me\\Roaming', ProgramFiles: 'C:\\Program Files' }, 'win32')).toEqual(
      expect.arrayContaining(['C:\\me\\Roaming\\npm', 'C:\\Program Files\\nodejs']),
    )
    expect(programPlaces({ HOME: '/Users/me' }, 'darwin')).toEqual(
      expect.arrayContaining(['/Users/me/.local/bin', '/opt/homebrew/bin', '/Applications/Docker.app/Contents/Resources/bin']),
    )
    expect(programPlaces({}, 'linux')).toContain('/snap/bin')
  })
})

describe('a command for the person’s terminal', () => {
  const typed = (file: string) => {
    const [remedy] = faultProblem({ is: 'not-executable', file }, place('linux')).remedies ?? []
    return remedy?.is === 'run' ? remedy.command : undefined
  }

  it('quotes the name of a file, whatever it contains', () => {
    expect(typed('/srv/run.sh')).toBe('chmod +x /srv/run.sh')
    expect(typed("/srv/it's; rm -rf ~")).toBe(`chmod +x '/srv/it'\\''s; rm -rf ~'`)
  })

  it('is missing for a name that would end the paste', () => {
    expect(typed('/srv/a\u001b[201~\nrm -rf ~')).toBeUndefined()
  })
})

describe('an Intel program on a Mac without Rosetta', () => {
  it('is told apart from other failures to start', () => {
    const error = new TransportError('spawn-failed', 'no', { errno: 'Unknown system error -86' })
    const launch = { type: 'local', command: 'x', args: [], env: {} } as const
    const of = (os: string) => explainFailure(error, { name: 'it', launch, stderr: [], os })
    expect(of('darwin')).toMatchObject({ code: 'wrong-architecture', remedies: [{ is: 'run' }, { is: 'edit' }] })
    expect(of('linux').code).toBe('spawn-failed')
  })
})
