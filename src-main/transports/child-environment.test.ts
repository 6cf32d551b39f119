import { describe, expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

describe('the environment of a child', () => {
  it('has the allow-listed and the configured variables, and nothing else (TRAN-13)', () => {
    const from = {
      HOME: '/home/me',
      PATH: '/bin',
      OPENAI_API_KEY: 'canary',
      NODE_OPTIONS: '-r x',
      LC_ALL: 'C',
      NPM_TOKEN: 'canary',
    }
    expect(childEnvironment(from, { TOKEN: 'mine' }, 'linux')).toEqual({
      HOME: '/home/me',
      PATH: '/bin',
      LC_ALL: 'C',
      TOKEN: 'mine',
    })
  })

  it('loses npm’s additions to PATH and keeps the order of the rest', () => {
    const path = [
      '/app/node_modules/.bin',
      '/node_modules/.bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
      '/usr/local/bin',
      '/home/me/tools/node_modules/.bin',
      '/bin',
    ].join(':')
    const environment = childEnvironment({ PATH: path, npm_config_cache: '/x', INIT_CWD: '/app' }, {}, 'linux')
    expect(environment).toEqual({ PATH: '/usr/local/bin:/home/me/tools/node_modules/.bin:/bin' })
  })

  it('prefers configured values, on Windows in any case', () => {
    expect(childEnvironment({ PATH: '/bin' }, { PATH: '/mine' }, 'linux')).toEqual({ PATH: '/mine' })
    expect(childEnvironment({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows' }, { PATH: 'C:\\mine' }, 'win32')).toEqual({
      PATH: 'C:\\mine',
      SystemRoot: 'C:\\Windows',
    })
  })

  it('has no shell function and no proxy password', () => {
    const from = { SHELL: '() { :; }', HTTPS_PROXY: 'http://me:secret@proxy:8080', http_proxy: 'http://proxy:8080' }
    expect(childEnvironment(from, {}, 'linux')).toEqual({ http_proxy: 'http://proxy:8080' })
  })

  it('has the usual folders for an app that macOS started without a shell’s PATH', () => {
    expect(childEnvironment({ PATH: '/usr/bin' }, {}, 'darwin').PATH).toBe('/usr/bin:/opt/homebrew/bin:/usr/local/bin')
  })
})
