import { parentPort } from 'node:worker_threads'
import type { LOADED } from './bounded-thread.ts'

/** Inside a thread: does one job after another. What `work` throws ends the thread, whose job fails then. */
export function serveJobs<Job, Answer>(work: (job: Job) => Answer | Promise<Answer>): void {
  parentPort?.on('message', async ({ id, job }: { readonly id: number; readonly job: Job }) => {
    parentPort?.postMessage({ id, answer: await work(job) })
  })
  parentPort?.postMessage('loaded' satisfies typeof LOADED)
}
