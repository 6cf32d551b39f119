import { expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BoundedThread, LOAD_TIME } from './bounded-thread.ts'

const JOB_TIME = 10_000

function thread(source: string, clock: Clock = systemClock) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const lost: string[] = []
  const one = new BoundedThread<string, string>({
    name: 'images',
    source: new URL(source, import.meta.url),
    heap: 64,
    jobTime: JOB_TIME,
    idleTime: 60_000,
    queueLimit: 10,
    clock,
    lifetime,
    onLost: (part, error) => lost.push(`${part}: ${String(error)}`),
  })
  return { run: (job: string) => one.run(() => job), lost }
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

/** A thread on the channel of that name. It is loaded once it hears from there, and tells of the job that never ends. */
const telling = (name: string) =>
  serving(`await new Promise((resolve) => {
    const channel = new BroadcastChannel('${name}')
    channel.onmessage = () => resolve((job) => {
      if (job !== 'endless') return job
      channel.postMessage('begun')
      return new Promise(() => {})
    })
    channel.postMessage('loading')
  })`)

function told(clock: Clock) {
  const channel = new BroadcastChannel(crypto.randomUUID())
  onTestFinished(() => channel.close())
  const said: unknown[] = []
  channel.onmessage = ({ data }: { readonly data: unknown }) => said.push(data)
  const hears = (word: string) => until(() => said.includes(word), `the thread to say that it is ${word}`)
  return { run: thread(telling(channel.name), clock).run, load: () => channel.postMessage('load'), hears }
}

it('the time of a job begins when its thread is loaded', async () => {
  const clock = new ManualClock()
  const { run, load, hears } = told(clock)
  const first = run('slowly loaded')
  await hears('loading')
  clock.advance(JOB_TIME)
  load()
  expect(await first).toEqual({ is: 'done', answer: 'slowly loaded' })
  const endless = run('endless')
  clock.advance(JOB_TIME)
  expect(await endless).toEqual({ is: 'failed', why: 'too-slow' })
})

it('a first job has no more time than others', async () => {
  const clock = new ManualClock()
  const { run, load, hears } = told(clock)
  let outcome: unknown
  void run('endless').then((given) => (outcome = given))
  await hears('loading')
  load()
  await hears('begun')
  await until(() => {
    clock.advance(JOB_TIME / 10)
    return outcome
  }, 'the job to be given up')
  expect(outcome).toEqual({ is: 'failed', why: 'too-slow' })
  expect(clock.now()).toBeLessThan(LOAD_TIME)
})

it('a thread that never loads is given up', async () => {
  const clock = new ManualClock()
  const { run, hears } = told(clock)
  const job = run('a')
  await hears('loading')
  clock.advance(LOAD_TIME)
  expect(await job).toEqual({ is: 'failed', why: 'too-slow' })
})
