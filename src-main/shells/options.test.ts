import { describe, expect, it } from 'vitest'
import { withoutPaths } from './options.ts'

describe('the command line of a restart', () => {
  it('keeps switches with their values, Chromium’s too, and drops what was to be opened', () => {
    const argv = ['--ozone-platform=wayland', '--data', '/tmp/my data', '/home/me/notes.parley', '--inspect=0', 'other.txt']
    expect(withoutPaths(argv)).toEqual(['--ozone-platform=wayland', '--data', '/tmp/my data', '--inspect=0'])
    expect(withoutPaths(['--data=/tmp/a', 'notes.parley'])).toEqual(['--data=/tmp/a'])
  })

  it('keeps the path of the sources where it was started with them', () => {
    expect(withoutPaths(['--inspect=0', '/src/parley', '--data', '/tmp/a', 'notes.parley'], { keepFirst: true })).toEqual([
      '--inspect=0',
      '/src/parley',
      '--data',
      '/tmp/a',
    ])
  })
})
