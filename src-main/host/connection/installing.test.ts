import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import { packageRunner } from '../launch/package-runner.ts'
import { Installing } from './installing.ts'

function watch() {
  const clock = new ManualClock()
  const deadline = new PausableClock(clock)
  const shown: string[] = []
  let done = 0
  const installing = new Installing(
    'npx',
    clock,
    deadline,
    (said) => shown.push(said),
    () => (done += 1),
  )
  return { clock, installing, shown, done: () => done, passed: () => deadline.now() }
}

describe('a package that is downloaded at its first start', () => {
  it.each([
    'npm warn exec The following package was not found and will be installed: @x/server@1.0.0',
    'Downloading numpy (16.1MiB)',
    "Unable to find image 'mcp/time:latest' locally",
    '4f4fb700ef54: Pull complete',
    'Resolving dependencies',
  ])('is recognized in “%s”', (line) => {
    const { installing, shown } = watch()
    installing.line(line)
    expect(shown).toEqual([line])
  })

  it.each(['Server listening on stdio', 'npm warn deprecated glob@7', 'Error: Cannot find module', ''])(
    'is not recognized in “%s”',
    (line) => {
      const { installing, shown, passed, clock } = watch()
      installing.line(line)
      clock.advance(5)
      expect([shown, passed()]).toEqual([[], 5])
    },
  )

  it('stays on screen from its first line until the server speaks', () => {
    const { installing } = watch()
    expect(installing.downloading).toBe(false)
    installing.line('Resolving dependencies')
    expect(installing.downloading).toBe(true)
    installing.done()
    expect(installing.downloading).toBe(false)
  })

  it('stops the deadline until the server speaks, and no longer', () => {
    const { clock, installing, done, passed } = watch()
    installing.line('Downloading a (1MiB)')
    clock.advance(100_000)
    installing.line('npm warn deprecated glob@7')
    installing.line('Downloading b (1MiB)')
    clock.advance(100_000)
    expect([passed(), done()]).toEqual([0, 0])
    installing.line('Installed 2 packages in 3ms')
    clock.advance(10)
    installing.line('Downloading more')
    clock.advance(10)
    expect([passed(), done()]).toEqual([20, 1])
  })

  it('does not stop it for a download that is quiet for long, nor forever', () => {
    const { clock, installing, passed } = watch()
    installing.line('Downloading a')
    clock.advance(150_000)
    expect(passed()).toBe(30_000)
    for (let at = 0; at < 40; at++) {
      installing.line('Downloading a')
      clock.advance(60_000)
    }
    expect(passed()).toBeGreaterThan(500_000)
  })

  it('is expected of package runners, behind cmd as well', () => {
    const of = (command: string, ...args: string[]) => packageRunner({ type: 'local', command, args, env: {} })
    expect(of('C:\\Program Files\\nodejs\\npx.cmd', '-y', 'x')).toBe('npx')
    expect(of('cmd', '/c', 'npx', 'x')).toBe('npx')
    expect(of('/usr/bin/node', 'server.js')).toBeUndefined()
    expect(packageRunner({ type: 'remote', url: 'https://npx.example', headers: {} })).toBeUndefined()
  })

  it('may wait for its registry when it prints nothing, which stops no deadline', () => {
    const { clock, installing, shown, done, passed } = watch()
    clock.advance(10_000)
    expect(shown).toEqual(['npx has printed nothing yet. It may be waiting for the package registry.'])
    expect(passed()).toBe(10_000)
    installing.done()
    expect(done()).toBe(1)
  })
})
