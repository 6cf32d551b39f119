import { describe, expect, it } from 'vitest'
import { codeSources } from './code-files.ts'

const PLACE = { os: 'linux', home: '/home/me', dataFolder: '/home/me/.parley' }

function sources(command: string, args: readonly string[], cwd: string, code: readonly string[] = []) {
  const program = { path: command, cwd, code: code.map((file) => ({ file, hash: 'x' })) }
  return codeSources({ type: 'local', command, args, env: {} }, program, PLACE)
}

describe('the code that can restart a server', () => {
  it('is the folder of the script that its launch names', () => {
    const file = '/home/me/dev/server.py'
    expect(sources('/usr/bin/python3', [file], '/home/me', [file])).toEqual([{ path: '/home/me/dev', whole: true }])
  })

  it('is the folder in which its runner or its interpreter looks', () => {
    const dev = [{ path: '/home/me/dev', whole: true }]
    expect(sources('/usr/bin/python3', ['-m', 'mine'], '/home/me/dev')).toEqual(dev)
    expect(sources('/usr/bin/npm', ['run', 'serve'], '/home/me/dev')).toEqual(dev)
    expect(sources('/usr/bin/uv', ['--directory', '/home/me/dev', 'run', 'server.py'], '/home/me')).toEqual(dev)
    expect(sources('/usr/bin/npm', ['--prefix=dev', 'run', 'serve'], '/home/me')).toEqual(dev)
  })

  it('is one file alone for a compiled program, and for a script among the person’s own files', () => {
    expect(sources('/home/me/dev/out/server', [], '/home/me', ['/home/me/dev/out/server'])).toEqual([
      { path: '/home/me/dev/out/server', whole: false },
    ])
    expect(sources('/usr/bin/node', ['server.mjs'], '/home/me', ['/home/me/server.mjs'])).toEqual([
      { path: '/home/me/server.mjs', whole: false },
    ])
  })

  it('is nothing for an installed package, a bundle, and a runner that would look through the home folder', () => {
    expect(sources('/usr/bin/npx', ['-y', 'some-server', '/home/me/docs'], '/home/me')).toEqual([])
    expect(sources('/usr/bin/python3', ['-m', 'mine'], '/home/me')).toEqual([])
    const bundle = `/home/me/.parley/bundles/${'0'.repeat(64)}`
    expect(sources('/usr/bin/node', ['index.js'], bundle, [`${bundle}/index.js`])).toEqual([])
  })
})
