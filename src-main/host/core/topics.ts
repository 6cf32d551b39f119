import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Topic, TopicEvent, TopicValue } from '../../../src-shared/contract/topics.ts'

type TopicKind = TopicValue['kind']
const OTHERS = ['server', 'resource', 'app'] as const
type Listen = (seq: number, event: TopicEvent | 'gone') => void

/**
 * The value of a topic. A function is called when following begins, so that no event falls between the value and the first event; a
 * plain value may be a few events old, which is harmless where events have numbers.
 */
type Opened = TopicValue | (() => TopicValue) | undefined

interface Served {
  readonly open: (key: string) => Promise<Opened>
  readonly released: ((key: string) => void) | undefined
}

interface Entry {
  seq: number
  readonly followers: Emitter<{ readonly seq: number; readonly event: TopicEvent | 'gone' }>
  /** For each follower that waits for its value, the events emitted meanwhile. */
  readonly opening: Set<TopicEvent[]>
}

/** Details that windows follow only while they show them. Each topic numbers its own events while it is followed (decision 0001). */
export class Topics {
  readonly #served = new Map<TopicKind, Served>()
  readonly #entries = new Map<Topic, Entry>()

  /** Registers the opener of this kind of topic. `released` runs when the last follower leaves. */
  serve(kind: TopicKind, open: (key: string) => Promise<Opened>, released?: (key: string) => void): void {
    this.#served.set(kind, { open, released })
  }

  /** Numbers the event and sends it to the followers, if any. */
  emit(topic: Topic, event: TopicEvent): void {
    const entry = this.#entries.get(topic)
    if (!entry) return
    entry.seq += 1
    for (const missed of entry.opening) missed.push(event)
    entry.followers.fire({ seq: entry.seq, event })
  }

  /** The value and its sequence number; every later event reaches `listen`. Undefined when the topic does not exist. */
  async follow(topic: Topic, listen: Listen): Promise<{ seq: number; value: TopicValue; stop: () => void } | undefined> {
    const { kind, key } = split(topic)
    const served = this.#served.get(kind)
    if (!served) return undefined
    const entry: Entry = this.#entries.get(topic) ?? { seq: 0, followers: new Emitter(), opening: new Set() }
    this.#entries.set(topic, entry)
    const missed: TopicEvent[] = []
    entry.opening.add(missed)
    let opened: Opened
    try {
      opened = await served.open(key)
    } catch (error) {
      entry.opening.delete(missed)
      this.#release(topic, entry)
      throw error
    }
    entry.opening.delete(missed)
    if (!opened || this.#entries.get(topic) !== entry) {
      this.#release(topic, entry)
      return undefined
    }
    const value = typeof opened === 'function' ? opened() : withMissed(opened, missed)
    const undo = entry.followers.on(({ seq, event }) => listen(seq, event))
    const stop = () => {
      undo()
      this.#release(topic, entry)
    }
    return { seq: entry.seq, value, stop }
  }

  /** Tells followers that the topic no longer exists, and forgets them. */
  gone(topic: Topic): void {
    const entry = this.#entries.get(topic)
    if (!entry) return
    this.#entries.delete(topic)
    const { kind, key } = split(topic)
    this.#served.get(kind)?.released?.(key)
    entry.followers.fire({ seq: entry.seq, event: 'gone' })
  }

  #release(topic: Topic, entry: Entry): void {
    if (entry.followers.size > 0 || entry.opening.size > 0 || this.#entries.get(topic) !== entry) return
    this.#entries.delete(topic)
    const { kind, key } = split(topic)
    this.#served.get(kind)?.released?.(key)
  }
}

function split(topic: Topic): { kind: TopicKind; key: string } {
  const slash = topic.indexOf('/')
  const kind = OTHERS.find((one) => one === topic.slice(0, slash)) ?? 'conversation'
  return { kind, key: topic.slice(slash + 1) }
}

/** Adds the log lines that came while the value was fetched. */
function withMissed(value: TopicValue, missed: readonly TopicEvent[]): TopicValue {
  if (value.kind !== 'server') return value
  const last = value.log.at(-1)?.n ?? -1
  const lines = missed.flatMap((event) => (event.type === 'log.added' ? event.lines : [])).filter((line) => line.n > last)
  return lines.length > 0 ? { ...value, log: [...value.log, ...lines] } : value
}
