import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { liveLifetimes } from '../../src-shared/base/lifetime.ts'

/** Child processes of this one, by /proc; empty where there is no /proc. */
function children(): string[] {
  try {
    return readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) => {
        try {
          const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
          return parent === String(process.pid) && state !== 'Z' ? [`${name} (${pid})`] : []
        } catch {
          return []
        }
      })
  } catch {
    return []
  }
}

/** Handles that keep the process alive and that a test could have left: sockets, servers, timers. */
function handles(): string[] {
  const ours = new Set(['TCPSocketWrap', 'TCPServerWrap', 'Timeout', 'Immediate', 'ProcessWrap', 'FSEventWrap'])
  return process.getActiveResourcesInfo().filter((name) => ours.has(name))
}

/** Leaks of earlier test files in this process, which are already reported. */
const before = { lifetimes: new Set(liveLifetimes), children: children(), handles: handles() }

/** The entries that are new, counting duplicates. */
function extra(now: readonly string[], then: readonly string[]): string[] {
  const left = [...then]
  return now.filter((name) => {
    const at = left.indexOf(name)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Fails a test file that leaves a lifetime, child, socket or timer, after a moment for those that are closing. */
afterAll(async () => {
  const leaks = () => [
    ...[...liveLifetimes].filter((lifetime) => !before.lifetimes.has(lifetime)).map((lifetime) => `lifetime ${lifetime.name}`),
    ...extra(children(), before.children).map((name) => `process ${name}`),
    ...extra(handles(), before.handles).map((name) => `handle ${name}`),
  ]
  for (let tries = 0; tries < 40 && leaks().length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  // The wait leaves no timer of its own, so everything listed now was left by the tests.
  const left = leaks()
  if (left.length > 0) throw new Error(`Left behind after this file: ${left.join(', ')}`)
})
