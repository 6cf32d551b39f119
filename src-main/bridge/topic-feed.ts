import type { HostFrame } from '../../src-shared/contract/channel.ts'
import type { Topic, TopicEvent } from '../../src-shared/contract/topics.ts'
import type { Topics } from '../host/core/topics.ts'

interface Followed {
  events: TopicEvent[]
  from: number
  /** True once the value is sent, before its events. */
  opened: boolean
  stop: (() => void) | undefined
}

/** A window shows a handful of topics; more is an error or an attack. */
const MAX_TOPICS = 64

/** The topics that one window follows, with their unsent events. */
export class TopicFeed {
  readonly #topics: Topics
  readonly #out: {
    readonly send: (frame: HostFrame) => void
    readonly changed: () => void
    readonly failed: (error: unknown) => string
  }
  readonly #followed = new Map<Topic, Followed>()

  /** `failed` describes why a topic could not be opened. */
  constructor(
    topics: Topics,
    out: { send: (frame: HostFrame) => void; changed: () => void; failed: (error: unknown) => string },
  ) {
    this.#topics = topics
    this.#out = out
  }

  /** Sends the value, then its events. Opening a topic again sends a new value. */
  open(topic: Topic): void {
    this.close(topic)
    if (this.#followed.size >= MAX_TOPICS) {
      this.#gone(topic, 'Too much is open in this window. Reload it and try again.')
      return
    }
    const followed: Followed = { events: [], from: 0, opened: false, stop: undefined }
    this.#followed.set(topic, followed)
    void this.#follow(topic, followed)
  }

  close(topic: Topic): void {
    this.#followed.get(topic)?.stop?.()
    this.#followed.delete(topic)
  }

  closeAll(): void {
    for (const topic of [...this.#followed.keys()]) this.close(topic)
  }

  flush(): void {
    for (const [topic, followed] of this.#followed) {
      if (!followed.opened || followed.events.length === 0) continue
      const { events, from } = followed
      followed.events = []
      this.#out.send({ t: 'topic-events', topic, from, events })
    }
  }

  async #follow(topic: Topic, followed: Followed): Promise<void> {
    try {
      const following = await this.#topics.follow(topic, (seq, event) => this.#hear(topic, followed, seq, event))
      // Closed, or opened again, while the value was fetched.
      if (this.#followed.get(topic) !== followed) return following?.stop()
      if (!following) return this.#gone(topic)
      followed.stop = following.stop
      followed.opened = true
      this.#out.send({ t: 'topic', topic, seq: following.seq, value: following.value })
      if (followed.events.length > 0) this.#out.changed()
    } catch (error) {
      const why = this.#out.failed(error)
      if (this.#followed.get(topic) === followed) this.#gone(topic, why)
    }
  }

  #hear(topic: Topic, followed: Followed, seq: number, event: TopicEvent | 'gone'): void {
    if (this.#followed.get(topic) !== followed) return
    if (event === 'gone') {
      this.flush()
      this.#gone(topic)
      return
    }
    if (followed.events.length === 0) followed.from = seq
    followed.events.push(event)
    this.#out.changed()
  }

  #gone(topic: Topic, why?: string): void {
    this.close(topic)
    this.#out.send({ t: 'topic-gone', topic, ...(why !== undefined && { why }) })
  }
}
