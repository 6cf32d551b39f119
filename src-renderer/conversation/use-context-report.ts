import type { ContextReport } from '../../src-shared/contract/context.ts'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { useHost } from '../state/host-store.ts'
import { modelEntry, modelKey } from '../state/models.ts'
import { catalogVersions } from '../state/selectors.ts'
import { useRequest } from '../state/use-request.ts'

/** Milliseconds without a change before a request, since changes come in bursts. */
const PAUSE = 400

/** The contents of the next request to the model, read again after any change; undefined until known. */
export function useContextReport(
  head: ConversationHead | undefined,
  topic: ConversationTopic | undefined,
): ContextReport | undefined {
  const catalogs = useHost(catalogVersions)
  const window = useHost((mirror) => modelEntry(mirror.host.providers, head?.model)?.contextWindow)
  const skills = useHost((mirror) => mirror.host.skillChanges)
  const { messages, attachments, switches } = topic ?? {}
  const { value, problem } = useRequest(
    'context.read',
    !topic || !head || head.turn === 'running' ? undefined : { id: head.id },
    {
      refetchOn: [
        messages?.length,
        messages?.at(-1)?.id,
        attachments,
        switches,
        head && modelKey(head.model),
        window,
        catalogs,
        skills,
      ],
      pause: PAUSE,
    },
  )
  // The meter is only a hint, so a failure stays silent.
  return problem === undefined ? value : undefined
}
