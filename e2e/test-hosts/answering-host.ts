import { HostLink } from '../../src-renderer/host/host-link.ts'
import { attachLink } from '../../src-renderer/state/ask.ts'
import { hostSink } from '../../src-renderer/state/host-store.ts'
import type { HostFrame } from '../../src-shared/contract/channel.ts'
import { CONTRACT } from '../../src-shared/contract/channel.ts'
import { emptySnapshot } from '../../src-shared/contract/events.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'

type Answers = { readonly [N in HostRequestName]?: (params: ParamsOf<N>) => ResultOf<N> }

/** Links the page's modules to a host that gives these answers and refuses everything else. Returns the requests in order. */
export function answeringHost(answers: Answers): readonly { readonly name: string; readonly params: unknown }[] {
  const asked: { name: string; params: unknown }[] = []
  let say: (frame: HostFrame) => void = () => {}
  const link = new HostLink(hostSink)
  attachLink(link)
  link.connect({
    open(on) {
      on.channel({
        onFrame(listen) {
          say = listen
          return () => {}
        },
        send(frame) {
          if (frame.t === 'hello') say({ t: 'welcome', contract: CONTRACT, epoch: 'e', seq: 0, snapshot: emptySnapshot })
          if (frame.t !== 'request') return
          asked.push({ name: frame.name, params: frame.params })
          const answer = answers[frame.name as keyof Answers] as ((params: unknown) => unknown) | undefined
          const result = answer
            ? ({ ok: true, value: answer(frame.params) } as const)
            : ({ ok: false, error: { code: 'refused', message: `Not answered: ${frame.name}` } } as const)
          queueMicrotask(() => say({ t: 'result', id: frame.id, ...result }))
        },
      })
      return () => {}
    },
  })
  return asked
}
