export interface ThreadAsk<Ask> {
  readonly id: number
  readonly ask: Ask
}

/** Messages of a thread: a start and then an answer for each request; `broken` if there is none. */
export type WorkerSaid<Answer> =
  | { readonly id: number; readonly is: 'begun' | 'broken' }
  | { readonly id: number; readonly is: 'done'; readonly answer: Answer }

/** Serves requests in a thread, one after another; `work` gives undefined when it cannot be done. */
export function serveThread<Ask, Answer>(work: (ask: Ask) => Answer | undefined | Promise<Answer | undefined>): void {
  const say = (said: WorkerSaid<Answer>) => postMessage(said)
  let last = Promise.resolve()
  addEventListener('message', ({ data: { id, ask } }: MessageEvent<ThreadAsk<Ask>>) => {
    last = last.then(async () => {
      say({ id, is: 'begun' })
      try {
        const answer = await work(ask)
        say(answer === undefined ? { id, is: 'broken' } : { id, is: 'done', answer })
      } catch {
        // The page then shows the text as written.
        say({ id, is: 'broken' })
      }
    })
  })
}
