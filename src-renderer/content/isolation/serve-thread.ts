/** A message to a thread. */
export interface ThreadAsk<Ask> {
  readonly id: number
  readonly ask: Ask
}

/** Its messages: that it begins, and then the answer; `broken` for what cannot be done. */
export type ThreadSaid<Answer> =
  | { readonly id: number; readonly is: 'begun' | 'broken' }
  | { readonly id: number; readonly is: 'done'; readonly answer: Answer }

/** Inside a thread: does one piece of work after the other; undefined is for what cannot be done. */
export function serveThread<Ask, Answer>(work: (ask: Ask) => Answer | undefined | Promise<Answer | undefined>): void {
  const say = (said: ThreadSaid<Answer>) => postMessage(said)
  let last = Promise.resolve()
  addEventListener('message', ({ data: { id, ask } }: MessageEvent<ThreadAsk<Ask>>) => {
    last = last.then(async () => {
      say({ id, is: 'begun' })
      try {
        const answer = await work(ask)
        say(answer === undefined ? { id, is: 'broken' } : { id, is: 'done', answer })
      } catch {
        // The text is read as it was written.
        say({ id, is: 'broken' })
      }
    })
  })
}
