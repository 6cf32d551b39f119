import { randomBytes } from 'node:crypto'
import WebSocket from 'ws'
import type { HostFrame, RendererFrame } from '../../src-shared/contract/channel.ts'
import { CONTRACT } from '../../src-shared/contract/channel.ts'
import { applyEvent, emptySnapshot, type HostSnapshot } from '../../src-shared/contract/events.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import { applyTopicEvent, type Topic, type TopicValue } from '../../src-shared/contract/topics.ts'
import { bounded } from '../support/until.ts'

/** A renderer without a page, which mirrors the host over a web shell's real socket. */
export class HostClient {
  /** The state by the frames received so far. */
  host: HostSnapshot = emptySnapshot
  readonly topics = new Map<Topic, TopicValue>()
  /** The reasons why followed topics are gone. */
  readonly #gone = new Map<Topic, string | undefined>()
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  readonly #watchers = new Set<() => void>()
  #next = 0
  closed = false

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as HostFrame))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.closed = true
      for (const { reject } of this.#waiting.values()) reject(new Error('the host is gone'))
      this.#waiting.clear()
      this.#look()
    })
  }

  /** Exchanges the one-time token of a printed link and waits for the first picture. */
  static async open(link: string): Promise<HostClient> {
    const { origin, host, hash } = new URL(link)
    const token = new URLSearchParams(hash.slice(1)).get('t')
    const secret = randomBytes(32).toString('base64url')
    const session = fetch(`${origin}/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token, secret }),
    })
    const answer = await bounded(session, `the session of ${origin}`)
    if (!answer.ok) throw new Error(`No session: HTTP ${answer.status}`)
    const socket = new WebSocket(`ws://${host}/channel`, ['parley.1', `session.${secret}`], { origin })
    const client = new HostClient(socket)
    const opened = new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    await bounded(opened, `the channel of ${origin}`)
    client.#send({ t: 'hello', contract: CONTRACT })
    await client.until(() => client.host !== emptySnapshot, 'the first picture')
    return client
  }

  request<N extends HostRequestName>(name: N, params: ParamsOf<N>): Promise<ResultOf<N>> {
    const id = ++this.#next
    return new Promise<ResultOf<N>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (value) => resolve(value as ResultOf<N>), reject })
      this.#send({ t: 'request', id, name, params })
    })
  }

  /** Follows a topic and waits for its value. */
  async follow<T extends TopicValue>(topic: Topic): Promise<T> {
    this.#gone.delete(topic)
    this.#send({ t: 'open', topic })
    await this.until(() => this.topics.has(topic) || this.#gone.has(topic), topic)
    const value = this.topics.get(topic)
    if (!value) throw new Error(`${topic} is gone: ${this.#gone.get(topic) ?? 'it does not exist'}`)
    return value as T
  }

  /** Resolves with the first truthy value; `read` runs after every frame. */
  until<T>(read: () => T, what: string, timeout = 30_000): Promise<NonNullable<T>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const value = read()
        if (!value && !this.closed) return
        done()
        if (value) resolve(value as NonNullable<T>)
        else reject(new Error(`The host disconnected while waiting for ${what}`))
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`Waited ${timeout} ms for ${what}`))
      }, timeout)
      const done = () => {
        clearTimeout(timer)
        this.#watchers.delete(look)
      }
      this.#watchers.add(look)
      look()
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed) return resolve()
      this.#socket.once('close', () => resolve())
      this.#socket.close()
    })
  }

  #send(frame: RendererFrame): void {
    if (!this.closed) this.#socket.send(JSON.stringify(frame))
  }

  #receive(frame: HostFrame): void {
    switch (frame.t) {
      case 'welcome':
        this.host = frame.snapshot
        break
      case 'events':
        this.host = frame.events.reduce(applyEvent, this.host)
        break
      case 'topic':
        this.topics.set(frame.topic, frame.value)
        break
      case 'topic-events': {
        const value = this.topics.get(frame.topic)
        if (value) this.topics.set(frame.topic, frame.events.reduce<TopicValue>(applyTopicEvent, value))
        break
      }
      case 'topic-gone':
        this.topics.delete(frame.topic)
        this.#gone.set(frame.topic, frame.why)
        break
      case 'result': {
        const waiting = this.#waiting.get(frame.id)
        this.#waiting.delete(frame.id)
        if (frame.ok) waiting?.resolve(frame.value)
        else waiting?.reject(Object.assign(new Error(frame.error.message), { code: frame.error.code }))
        break
      }
      case 'again':
        this.#send({ t: 'hello', contract: CONTRACT })
    }
    this.#look()
  }

  #look(): void {
    for (const look of [...this.#watchers]) look()
  }
}
