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

it('tells of a thread whose code cannot be loaded, and fails its job for that', async () => {
  const { run, lost } = thread('./no-such-worker.js')
  expect(await run('a')).toEqual({ is: 'failed', why: 'lost' })
  expect(lost).toEqual([expect.stringContaining('images: Error: Cannot find module')])
})

it('tells of a part that a job needs and that is missing', async () => {
  const { run, lost } = thread(serving(`async () => { await import('file:///no/such/part.js') }`))
  expect(await run('a')).toEqual({ is: 'failed', why: 'lost' })
  expect(lost).toHaveLength(1)
})

it('does not tell of a job that breaks its thread, and does the next', async () => {
  const { run, lost } = thread(serving(`(job) => { if (job === 'bad') throw new Error('bad'); return job }`))
  // Each breaks a new thread as soon as it is loaded.
  for (let n = 0; n < 20; n += 1) expect(await run('bad')).toEqual({ is: 'failed', why: 'broken' })
  expect(await run('good')).toEqual({ is: 'done', answer: 'good' })
  expect(lost).toEqual([])
})
