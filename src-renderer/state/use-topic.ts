import { useEffect } from 'react'
import type { ConversationId, ServerId } from '../../src-shared/contract/ids.ts'
import {
  type AppTopic,
  type ConversationTopic,
  type ResourceTopic,
  resourceTopic,
  type ServerTopic,
  type Topic,
} from '../../src-shared/contract/topics.ts'
import { follow } from './ask.ts'
import { useHost } from './host-store.ts'
import type { TopicMirror } from './mirror.ts'

/** Keeps a topic open while mounted. Undefined while it loads. */
function useTopic(topic: Topic | undefined): TopicMirror | undefined {
  useEffect(() => (topic ? follow(topic) : undefined), [topic])
  return useHost((mirror) => (topic ? mirror.topics[topic] : undefined))
}

/** `undefined` while it loads, `'gone'` when it does not exist. */
export function useConversation(id: ConversationId | undefined): ConversationTopic | 'gone' | undefined {
  const topic = useTopic(id && `conversation/${id}`)
  if (topic?.is !== 'open') return topic?.is
  return topic.value.kind === 'conversation' ? topic.value : undefined
}

/** `undefined` while it loads, `'gone'` when it does not exist. */
export function useServer(id: ServerId | undefined): ServerTopic | 'gone' | undefined {
  const topic = useTopic(id && `server/${id}`)
  if (topic?.is !== 'open') return topic?.is
  return topic.value.kind === 'server' ? topic.value : undefined
}

/** Updates of a resource on screen: the host subscribes while mounted, if the server supports it. */
export function useResourceTopic(serverId: ServerId | undefined, uri: string): ResourceTopic | undefined {
  const topic = useTopic(serverId && resourceTopic(serverId, uri))
  return topic?.is === 'open' && topic.value.kind === 'resource' ? topic.value : undefined
}

export function useAppTopic(view: string | undefined): AppTopic | undefined {
  const topic = useTopic(view === undefined ? undefined : `app/${view}`)
  return topic?.is === 'open' && topic.value.kind === 'app' ? topic.value : undefined
}
