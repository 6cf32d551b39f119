import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { ContextReport } from '../../src-shared/contract/context.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { readContext } from '../state/context-actions.ts'
import { useHost } from '../state/host-store.ts'
import { findHead, modelEntry, modelKey } from '../state/selectors.ts'
import { useConversation } from '../state/use-topic.ts'

/** Changes come in bursts; what they add up to is asked for when they pause. */
const PAUSE = 400

/** What the next request would hold, read anew after anything in it changed. undefined until it is known. */
export function useContextReport(id: ConversationId | undefined): ContextReport | undefined {
  const topic = useConversation(id)
  const [report, setReport] = useState<ContextReport>()
  const open = topic === undefined || topic === 'gone' ? undefined : topic
  const head = useHost((mirror) => findHead(mirror, id))
  const model = head && modelKey(head.model)
  const running = head?.turn === 'running'
  const catalogs = useHost((mirror) =>
    Object.values(mirror.host.servers)
      .map((server) => `${server.id} ${server.state.is} ${server.catalog.version} ${server.options.hiddenTools.length}`)
      .join('\n'),
  )
  const window = useHost((mirror) => modelEntry(mirror.host.providers, findHead(mirror, id)?.model)?.contextWindow)
  const count = open?.messages.length
  const { attachments, switches } = open ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the report is made of
  useEffect(() => {
    if (id === undefined || count === undefined || running) return
    const giveUp = new AbortController()
    const stop = systemClock.after(PAUSE, () => {
      readContext(id, giveUp.signal).then(
        (found) => giveUp.signal.aborted || setReport(found),
        // The meter is a hint: without it everything works.
        () => giveUp.signal.aborted || setReport(undefined),
      )
    })
    return () => {
      stop()
      giveUp.abort()
    }
  }, [id, count, attachments, switches, model, window, catalogs, running])
  return report
}
