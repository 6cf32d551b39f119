import {
  CONTRACT,
  type HostFrame,
  type RendererChannel,
  type RendererFrame,
  type WindowOrder,
} from '../../src-shared/contract/channel.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import type { Topic } from '../../src-shared/contract/topics.ts'

/** `no-session`: this page was not opened by the link of a running host. `outdated`: page and host are of different builds. */
export type LinkState = 'connecting' | 'live' | 'lost' | 'no-session' | 'outdated'

/** Frames that change the mirror. */
export type MirrorFrame = Extract<HostFrame, { t: 'welcome' | 'events' | 'topic' | 'topic-events' | 'topic-gone' }>

/** Events missing before a frame: none, those of everything, or those of one topic. */
export type Gap = 'none' | 'all' | { readonly topic: Topic }

export interface LinkSink {
  link(state: LinkState): void
  receive(frame: MirrorFrame): Gap
  /** Only the desktop shell sends orders. */
  order?(order: WindowOrder): void
  /** Nobody follows the topic any more. */
  forget(topic: Topic): void
}

/** Opens channels, one after another, while the page lives. */
export interface HostConnector {
  open(on: { channel(channel: RendererChannel): void; down(why: 'lost' | 'no-session'): void }): () => void
}

interface Pending {
  /** The channel that carried the request; its result cannot come on another. */
  readonly round: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Runs something soon: in a page, once before its next paint. */
export type Soon = (run: () => void) => void

/**
 * Connects one page to the host by hello, requests and topics; says hello again after a gap or on a new channel. Changes of
 * topics are gathered until `soon` runs, so that a page that falls behind paints the latest state rather than each step.
 */
export class HostLink {
  readonly #sink: LinkSink
  readonly #soon: Soon
  #changes: MirrorFrame[] = []
  readonly #pending = new Map<number, Pending>()
  readonly #followers = new Map<Topic, number>()
  /** Topics that were opened and whose state has not arrived. */
  readonly #opening = new Set<Topic>()
  #channel: RendererChannel | undefined
  #stopHearing = () => {}
  #state: LinkState = 'connecting'
  #welcomed = false
  #epoch = ''
  #round = 0
  #nextId = 0

  constructor(sink: LinkSink, soon: Soon = (run) => run()) {
    this.#sink = sink
    this.#soon = soon
  }

  /** Returns the undo. */
  connect(connector: HostConnector): () => void {
    return connector.open({
      channel: (channel) => this.#use(channel),
      down: (why) => this.#down(why),
    })
  }

  /** Rejects with a HostError, or with the signal's reason. */
  request<N extends HostRequestName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>> {
    const channel = this.#channel
    if (!channel || this.#state !== 'live') {
      return Promise.reject(new HostError('unavailable', 'Parley is not connected. Try again when it is back.'))
    }
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#nextId += 1
    const id = this.#nextId
    return new Promise<ResultOf<N>>((resolve, reject) => {
      const giveUp = () => {
        if (!this.#pending.delete(id)) return
        this.#send({ t: 'cancel', id })
        reject(signal?.reason)
      }
      const settled = () => signal?.removeEventListener('abort', giveUp)
      this.#pending.set(id, {
        round: this.#round,
        resolve: (value) => {
          settled()
          // The contract promises this result for this name; the host checks what it sends.
          resolve(value as ResultOf<N>)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      signal?.addEventListener('abort', giveUp, { once: true })
      channel.send({ t: 'request', id, name, params })
    })
  }

  /** Keeps a topic open until every follower has undone it. Returns the undo. */
  follow(topic: Topic): () => void {
    const followers = this.#followers.get(topic) ?? 0
    this.#followers.set(topic, followers + 1)
    if (followers === 0 && this.#welcomed) this.#open(topic)
    let undone = false
    return () => {
      if (undone) return
      undone = true
      const left = (this.#followers.get(topic) ?? 1) - 1
      if (left > 0) {
        this.#followers.set(topic, left)
        return
      }
      this.#followers.delete(topic)
      this.#opening.delete(topic)
      if (this.#welcomed) this.#send({ t: 'close', topic })
      this.#sink.forget(topic)
    }
  }

  #use(channel: RendererChannel): void {
    this.#stopHearing()
    this.#channel = channel
    this.#round += 1
    this.#stopHearing = channel.onFrame((frame) => this.#hear(frame))
    this.#hello()
  }

  #down(why: 'lost' | 'no-session'): void {
    this.#stopHearing()
    this.#stopHearing = () => {}
    this.#channel = undefined
    this.#welcomed = false
    if (this.#state !== 'outdated') this.#become(why)
  }

  #become(state: LinkState): void {
    this.#state = state
    this.#sink.link(state)
  }

  #send(frame: RendererFrame): void {
    this.#channel?.send(frame)
  }

  #hello(): void {
    this.#welcomed = false
    this.#send({ t: 'hello', contract: CONTRACT })
  }

  #open(topic: Topic): void {
    this.#opening.add(topic)
    this.#send({ t: 'open', topic })
  }

  #hear(frame: HostFrame): void {
    // Frames apply in the order of arrival.
    if (frame.t !== 'topic-events') this.#applyChanges()
    switch (frame.t) {
      case 'result': {
        const waiting = this.#pending.get(frame.id)
        this.#pending.delete(frame.id)
        if (frame.ok) waiting?.resolve(frame.value)
        else waiting?.reject(new HostError(frame.error.code, frame.error.message, frame.error.data))
        return
      }
      case 'again':
        if (frame.why === 'contract') this.#become('outdated')
        else this.#hello()
        return
      case 'welcome':
        this.#welcome(frame)
        return
      case 'order':
        this.#sink.order?.(frame.order)
        return
      case 'topic-events':
        if (this.#opening.has(frame.topic) || !this.#followers.has(frame.topic)) return
        this.#changes.push(frame)
        if (this.#changes.length === 1) this.#soon(() => this.#applyChanges())
        return
      case 'topic':
      case 'topic-gone':
        if (!this.#followers.has(frame.topic)) return
        this.#opening.delete(frame.topic)
        break
      case 'events':
        break
    }
    this.#apply([frame])
  }

  #applyChanges(): void {
    if (this.#changes.length === 0) return
    const changes = this.#changes
    this.#changes = []
    this.#apply(changes)
  }

  /** The welcome includes events sent before the host had our hello. */
  #apply(frames: readonly MirrorFrame[]): void {
    for (const frame of frames) {
      const stale = frame.t === 'topic-events' && this.#opening.has(frame.topic)
      if (this.#welcomed && !stale) this.#fillGap(this.#sink.receive(frame))
    }
  }

  #fillGap(gap: Gap): void {
    if (gap === 'none') return
    if (gap === 'all') {
      this.#hello()
      return
    }
    this.#send({ t: 'close', topic: gap.topic })
    this.#open(gap.topic)
  }

  #welcome(frame: Extract<HostFrame, { t: 'welcome' }>): void {
    if (frame.contract !== CONTRACT) {
      this.#become('outdated')
      return
    }
    this.#failUnanswered(this.#epoch !== '' && frame.epoch !== this.#epoch)
    this.#epoch = frame.epoch
    this.#welcomed = true
    this.#sink.receive(frame)
    for (const topic of this.#followers.keys()) this.#open(topic)
    this.#become('live')
  }

  /** Rejects requests of earlier channels, which get no answer. */
  #failUnanswered(restarted: boolean): void {
    for (const [id, waiting] of [...this.#pending]) {
      if (waiting.round === this.#round && !restarted) continue
      this.#pending.delete(id)
      waiting.reject(
        restarted
          ? new HostError('host-restarted', 'Parley restarted before it answered. Check whether it was done, then try again.')
          : new HostError(
              'unavailable',
              'The connection was lost before the answer came. Check whether it was done, then try again.',
            ),
      )
    }
  }
}
