import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { applyEvent, emptySnapshot, type HostEvent, type HostSnapshot } from '../../src-shared/contract/events.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import { applyTopicEvent, type Topic, type TopicValue } from '../../src-shared/contract/topics.ts'
import type { Gap, LinkState, MirrorFrame } from '../host/host-link.ts'

export type TopicMirror =
  | { readonly is: 'open'; readonly seq: number; readonly value: TopicValue }
  | { readonly is: 'gone'; readonly why?: string }

/** A question that was withdrawn or expired unanswered. */
export interface EndedQuestion {
  readonly interaction: Interaction
  readonly why: string
}

const MAX_ENDED = 5

/** This window's copy of the host's state. */
export interface HostMirror {
  readonly link: LinkState
  readonly epoch: string
  readonly seq: number
  readonly host: HostSnapshot
  /** Only what is followed; absent while it loads. */
  readonly topics: Readonly<Record<Topic, TopicMirror>>
  /** Heads beyond those of the snapshot, as far as they were read; newest first. */
  readonly older: readonly ConversationHead[]
  /** The start of the next page of older heads; absent when all were read. */
  readonly unread?: { readonly before?: string }
  /** Heads of opened conversations that are in neither list. */
  readonly unlisted: readonly ConversationHead[]
  /** Questions that ended while this window watched; newest first. */
  readonly ended: readonly EndedQuestion[]
}

export const emptyMirror: HostMirror = {
  link: 'connecting',
  epoch: '',
  seq: 0,
  host: emptySnapshot,
  topics: {},
  older: [],
  unread: {},
  unlisted: [],
  ended: [],
}

/** Applies one frame. Frames that were applied before change nothing; after a gap the mirror stays as it was. */
export function receiveFrame(mirror: HostMirror, frame: MirrorFrame): { readonly mirror: HostMirror; readonly gap: Gap } {
  switch (frame.t) {
    case 'welcome':
      return withoutGap({
        ...mirror,
        epoch: frame.epoch,
        seq: frame.seq,
        host: frame.snapshot,
        older: [],
        unread: {},
        // The person may go on writing in an open conversation, so its head stays known.
        unlisted: [...mirror.host.conversations, ...mirror.older, ...mirror.unlisted].filter(
          ({ id }) => mirror.topics[`conversation/${id}`]?.is === 'open',
        ),
      })
    case 'events': {
      const fresh = unseen(mirror.seq, frame.from, frame.events)
      if (!fresh) return { mirror, gap: 'all' }
      const changed = fresh.reduce(applyHostEvent, mirror)
      return withoutGap({ ...changed, seq: mirror.seq + fresh.length })
    }
    case 'topic':
      return withoutGap(withTopic(mirror, frame.topic, { is: 'open', seq: frame.seq, value: frame.value }))
    case 'topic-gone':
      return withoutGap(withTopic(mirror, frame.topic, { is: 'gone', ...(frame.why !== undefined && { why: frame.why }) }))
    case 'topic-events': {
      const topic = mirror.topics[frame.topic]
      if (topic?.is !== 'open') return withoutGap(mirror)
      const fresh = unseen(topic.seq, frame.from, frame.events)
      if (!fresh) return { mirror, gap: { topic: frame.topic } }
      const value = fresh.reduce<TopicValue>(applyTopicEvent, topic.value)
      return withoutGap(withTopic(mirror, frame.topic, { is: 'open', seq: topic.seq + fresh.length, value }))
    }
  }
}

export function withoutTopic(mirror: HostMirror, topic: Topic): HostMirror {
  const { [topic]: _forgotten, ...topics } = mirror.topics
  return { ...mirror, topics }
}

/** Adds a page of older heads; those of the snapshot win. `next` is absent with the last page. */
export function withOlder(mirror: HostMirror, page: readonly ConversationHead[], next?: string): HostMirror {
  const { unread: _read, ...rest } = mirror
  const known = new Set([...mirror.host.conversations, ...mirror.older].map((head) => head.id))
  const older = [...mirror.older, ...page.filter((head) => !known.has(head.id))]
  return { ...rest, older, ...(next !== undefined && { unread: { before: next } }) }
}

/** Adds a head that was read by itself. */
export function withUnlisted(mirror: HostMirror, head: ConversationHead): HostMirror {
  return { ...mirror, unlisted: [head, ...mirror.unlisted.filter(({ id }) => id !== head.id)] }
}

function withoutGap(mirror: HostMirror): { readonly mirror: HostMirror; readonly gap: Gap } {
  return { mirror, gap: 'none' }
}

function withTopic(mirror: HostMirror, topic: Topic, value: TopicMirror): HostMirror {
  return { ...mirror, topics: { ...mirror.topics, [topic]: value } }
}

/** The events after `seq`, or undefined when some are missing in between. */
function unseen<T>(seq: number, from: number, events: readonly T[]): readonly T[] | undefined {
  if (from > seq + 1) return undefined
  return events.slice(seq + 1 - from)
}

/** Applies an event, and keeps heads that leave the snapshot's list without being removed. */
function applyHostEvent(mirror: HostMirror, event: HostEvent): HostMirror {
  const host = applyEvent(mirror.host, event)
  if (event.type === 'interaction.closed') return { ...mirror, host, ended: withEnded(mirror, event) }
  if (host.conversations === mirror.host.conversations) return { ...mirror, host }
  const listed = new Set(host.conversations.map((head) => head.id))
  const removed = event.type === 'conversation.removed' ? event.id : undefined
  // A changed head that is too old for the snapshot's list is updated here.
  const changed = event.type === 'conversation.changed' ? event.head : undefined
  const notListed = (heads: readonly ConversationHead[]) =>
    heads.flatMap((head) => (listed.has(head.id) || head.id === removed ? [] : [head.id === changed?.id ? changed : head]))
  const older = [...notListed(mirror.host.conversations), ...notListed(mirror.older)]
  return { ...mirror, host, older, unlisted: notListed(mirror.unlisted) }
}

function withEnded({ ended, host }: HostMirror, event: Extract<HostEvent, { type: 'interaction.closed' }>) {
  const interaction = host.interactions.find((open) => open.id === event.id)
  if (!interaction || (event.outcome !== 'withdrawn' && event.outcome !== 'expired')) return ended
  return [{ interaction, why: event.why ?? 'The call that needed it ended.' }, ...ended].slice(0, MAX_ENDED)
}
