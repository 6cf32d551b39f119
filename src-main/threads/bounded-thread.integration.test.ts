import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BoundedThread } from './bounded-thread.ts'

function thread(source: string) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const lost: string[] = []
  const bounded = new BoundedThread<string, string>({
    name: 'images',
    source: new URL(source, import.meta.url),
    resources: {},
    jobTime: 60_000,
    idleTime: 60_000,
    queueLimit: 10,
    clock: systemClock,
    lifetime,
    onLost: (part, error) => lost.push(`${part}: ${String(error)}`),
  })
  return { run: (job: string) => bounded.run(() => job), lost }
}

const serving = (work: string) =>
  `data:text/javascript,${encodeURIComponent(`import { serveJobs } from ${JSON.stringify(new URL('serve-jobs.ts', import.meta.url).href)}; serveJobs(${work})`)}`

it('a thread whose code cannot be loaded is reported, and its job fails', async () => {
  const { run, lost } = thread('./no-such-worker.js')
  expect(await run('a')).toEqual({ is: 'failed', why: 'lost' })
  expect(lost).toEqual([expect.stringContaining('images: Error: Cannot find module')])
})

it('a missing part that a job needs is reported', async () => {
  const { run, lost } = thread(serving(`async () => { await import('file:///no/such/part.js') }`))
  expect(await run('a')).toEqual({ is: 'failed', why: 'lost' })
  expect(lost).toHaveLength(1)
})

it('a job that breaks its thread is not reported as a missing part, and the next one runs', async () => {
  const { run, lost } = thread(serving(`(job) => { if (job === 'bad') throw new Error('bad'); return job }`))
  // Each breaks a new thread as soon as it is loaded.
  for (let n = 0; n < 20; n += 1) expect(await run('bad')).toEqual({ is: 'failed', why: 'broken' })
  expect(await run('good')).toEqual({ is: 'done', answer: 'good' })
  expect(lost).toEqual([])
})
