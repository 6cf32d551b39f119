import { parentPort, workerData } from 'node:worker_threads'
import type { LoadedFlag, ThreadSaid } from './bounded-thread.ts'

/** Serves jobs inside a thread. An error of `work` ends the thread and fails the job. */
export function serveJobs<Job, Answer>(work: (job: Job) => Answer | Promise<Answer>): void {
  parentPort?.on('message', async ({ id, job }: { readonly id: number; readonly job: Job }) => {
    parentPort?.postMessage({ id, answer: await work(job) })
  })
  parentPort?.postMessage('loaded' satisfies ThreadSaid<Answer>)
  Atomics.store(workerData as LoadedFlag, 0, 1)
}
