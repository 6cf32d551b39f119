import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Topic, TopicEvent, TopicValue } from '../../../src-shared/contract/topics.ts'

type TopicKind = 'conversation' | 'server' | 'resource'
type Listen = (seq: number, event: TopicEvent | 'gone') => void

/**
 * A topic that a window opens. A function is read at the very moment at which following begins, so that no event falls between the
 * value and the first event; a plain value may be a few events old, which is harmless where events can be told apart by number.
 */
type Opened = TopicValue | (() => TopicValue) | undefined

interface Served {
  readonly open: (key: string) => Promise<Opened>
  readonly released: ((key: string) => void) | undefined
}

interface Entry {
  seq: number
  readonly followers: Emitter<{ readonly seq: number; readonly event: TopicEvent | 'gone' }>
  /** Follows that wait for their value: what is emitted meanwhile. */
  readonly opening: Set<TopicEvent[]>
}

/** Details that windows follow only while they show them; each topic has a sequence of its own while somebody follows (decision 0001). */
export class Topics {
  readonly #served = new Map<TopicKind, Served>()
  readonly #entries = new Map<Topic, Entry>()

  /** Registers the opener of topics of this kind. `released` tells that the last follower left. */
  serve(kind: TopicKind, open: (key: string) => Promise<Opened>, released?: (key: string) => void): void {
    this.#served.set(kind, { open, released })
  }

  /** Numbers the event and tells followers; nothing happens when nobody follows. */
  emit(topic: Topic, event: TopicEvent): void {
    const entry = this.#entries.get(topic)
    if (!entry) return
    entry.seq += 1
    for (const missed of entry.opening) missed.push(event)
    entry.followers.fire({ seq: entry.seq, event })
  }

  /** The value and its sequence; events after it reach `listen` without a hole. Undefined when it does not exist. */
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

  /** It does not exist any more: followers are told and forgotten. */
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
  const kind = topic.slice(0, slash)
  return { kind: kind === 'server' || kind === 'resource' ? kind : 'conversation', key: topic.slice(slash + 1) }
}

/** Log lines that came while the value was fetched, unless it has them already. */
function withMissed(value: TopicValue, missed: readonly TopicEvent[]): TopicValue {
  if (value.kind !== 'server') return value
  const last = value.log.at(-1)?.n ?? -1
  const lines = missed.flatMap((event) => (event.type === 'log.added' ? event.lines : [])).filter((line) => line.n > last)
  return lines.length > 0 ? { ...value, log: [...value.log, ...lines] } : value
}
