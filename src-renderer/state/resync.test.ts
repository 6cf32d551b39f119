import { describe, expect, it } from 'vitest'
import type { HostFrame, RendererChannel, RendererFrame } from '../../src-shared/contract/channel.ts'
import { emptySnapshot, type HostEvent } from '../../src-shared/contract/events.ts'
import type { Topic } from '../../src-shared/contract/topics.ts'
import { HostLink, type LinkSink, type LinkState } from '../host/host-link.ts'
import { emptyMirror, type HostMirror, receiveFrame, withoutTopic } from './mirror.ts'

/** The other side of a link: what the page sent, and a way to answer. */
class Wire {
  readonly sent: RendererFrame[] = []
  readonly #listeners = new Set<(frame: HostFrame) => void>()
  readonly channel: RendererChannel = {
    send: (frame) => this.sent.push(frame),
    onFrame: (listen) => {
      this.#listeners.add(listen)
      return () => this.#listeners.delete(listen)
    },
  }

  say(frame: HostFrame): void {
    for (const listen of [...this.#listeners]) listen(frame)
  }

  welcome(epoch: string, seq: number): void {
    this.say({ t: 'welcome', contract: 1, epoch, seq, snapshot: emptySnapshot })
  }

  take(): RendererFrame[] {
    return this.sent.splice(0)
  }
}

class Page implements LinkSink {
  mirror: HostMirror = emptyMirror
  readonly states: LinkState[] = []

  link(state: LinkState): void {
    this.states.push(state)
  }

  receive(frame: Parameters<LinkSink['receive']>[0]): ReturnType<LinkSink['receive']> {
    const { mirror, gap } = receiveFrame(this.mirror, frame)
    this.mirror = mirror
    return gap
  }

  forget(topic: Topic): void {
    this.mirror = withoutTopic(this.mirror, topic)
  }
}

function linked() {
  const page = new Page()
  const link = new HostLink(page)
  const wire = new Wire()
  let use: (channel: RendererChannel) => void = () => {}
  let down: (why: 'lost' | 'no-session') => void = () => {}
  link.connect({
    open(on) {
      use = on.channel
      down = on.down
      return () => {}
    },
  })
  use(wire.channel)
  return { page, link, wire, use, down }
}

const renamed = (theme: 'light' | 'dark'): HostEvent => ({
  type: 'settings.changed',
  settings: { ...emptySnapshot.settings, theme },
})
const topic = 'conversation/c' as Topic

describe('the link to the host', () => {
  it('greets on every channel, and is live from the welcome on', () => {
    const { page, wire } = linked()
    expect(wire.take()).toEqual([{ t: 'hello', contract: 1 }])
    wire.welcome('a', 4)
    expect(page.states).toEqual(['live'])
    wire.say({ t: 'events', from: 5, events: [renamed('dark')] })
    expect(page.mirror.host.settings.theme).toBe('dark')
    expect(page.mirror.seq).toBe(5)
  })

  it('requests a new snapshot after a gap, and applies nothing until it comes', () => {
    const { page, wire } = linked()
    wire.welcome('a', 4)
    wire.take()
    wire.say({ t: 'events', from: 6, events: [renamed('dark')] })
    expect(wire.take()).toEqual([{ t: 'hello', contract: 1 }])
    wire.say({ t: 'events', from: 7, events: [renamed('light')] })
    expect(page.mirror.host.settings.theme).toBe('system')
    expect(wire.take()).toEqual([])
    wire.welcome('a', 7)
    wire.say({ t: 'events', from: 8, events: [renamed('light')] })
    expect(page.mirror).toMatchObject({ seq: 8, host: { settings: { theme: 'light' } } })
  })

  it('ignores events that were applied before', () => {
    const { page, wire } = linked()
    wire.welcome('a', 4)
    wire.say({ t: 'events', from: 4, events: [renamed('light'), renamed('dark')] })
    expect(page.mirror).toMatchObject({ seq: 5, host: { settings: { theme: 'dark' } } })
  })

  it('greets again when the host says that it fell behind', () => {
    const { wire } = linked()
    wire.welcome('a', 1)
    wire.take()
    wire.say({ t: 'again', why: 'behind' })
    expect(wire.take()).toEqual([{ t: 'hello', contract: 1 }])
  })

  it('asks for a reload when host and page are of different builds', () => {
    const { page, wire } = linked()
    wire.say({ t: 'again', why: 'contract' })
    expect(page.states).toEqual(['outdated'])
  })

  it('settles each request with its own result', async () => {
    const { link, wire } = linked()
    wire.welcome('a', 0)
    wire.take()
    const first = link.request('conversation.create', {})
    const second = link.request('notice.dismiss', { id: 'n' })
    expect(wire.take().map((frame) => frame.t === 'request' && frame.id)).toEqual([1, 2])
    wire.say({ t: 'result', id: 2, ok: false, error: { code: 'not-found', message: 'It is gone.' } })
    wire.say({ t: 'result', id: 1, ok: true, value: { id: 'c' } })
    await expect(first).resolves.toEqual({ id: 'c' })
    await expect(second).rejects.toMatchObject({ code: 'not-found', message: 'It is gone.' })
  })

  it('cancels a request whose signal aborts', async () => {
    const { link, wire } = linked()
    wire.welcome('a', 0)
    const giveUp = new AbortController()
    const waiting = link.request('consent.list', {}, giveUp.signal)
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(wire.sent.at(-1)).toEqual({ t: 'cancel', id: 1 })
  })

  it('refuses requests at once while there is no link', async () => {
    const { link, wire, down } = linked()
    wire.welcome('a', 0)
    down('lost')
    await expect(link.request('consent.list', {})).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('rejects open requests when another host comes back', async () => {
    const { link, wire, use, down } = linked()
    wire.welcome('a', 0)
    const waiting = link.request('consent.list', {})
    down('lost')
    const next = new Wire()
    use(next.channel)
    next.welcome('b', 0)
    await expect(waiting).rejects.toMatchObject({ code: 'host-restarted' })
  })

  it('rejects the requests of a lost channel when the same host comes back', async () => {
    const { page, link, wire, use, down } = linked()
    wire.welcome('a', 0)
    const waiting = link.request('consent.list', {})
    down('lost')
    const next = new Wire()
    use(next.channel)
    next.welcome('a', 9)
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
    expect(page.states).toEqual(['live', 'lost', 'live'])
  })

  it('opens a followed topic once, and again after every welcome', () => {
    const { link, wire } = linked()
    const stop = link.follow(topic)
    const stopToo = link.follow(topic)
    wire.take()
    wire.welcome('a', 0)
    expect(wire.take()).toEqual([{ t: 'open', topic }])
    wire.welcome('a', 3)
    expect(wire.take()).toEqual([{ t: 'open', topic }])
    stop()
    stop()
    expect(wire.take()).toEqual([])
    stopToo()
    expect(wire.take()).toEqual([{ t: 'close', topic }])
  })

  it('reopens only the topic with a gap', () => {
    const { page, link, wire } = linked()
    wire.welcome('a', 0)
    link.follow(topic)
    const value = { kind: 'conversation', messages: [], toolCalls: {}, hasEarlier: false } as const
    wire.say({ t: 'topic', topic, seq: 2, value })
    wire.take()
    const removed = { type: 'message.removed', id: 'm' as never } as const
    wire.say({ t: 'topic-events', topic, from: 4, events: [removed] })
    expect(wire.take()).toEqual([
      { t: 'close', topic },
      { t: 'open', topic },
    ])
    wire.say({ t: 'topic-events', topic, from: 5, events: [removed] })
    expect(wire.take()).toEqual([])
    wire.say({ t: 'topic', topic, seq: 5, value })
    wire.say({ t: 'topic-events', topic, from: 6, events: [removed] })
    expect(page.mirror.topics[topic]).toMatchObject({ is: 'open', seq: 6 })
  })

  it('forgets a topic that nobody follows any longer', () => {
    const { page, link, wire } = linked()
    wire.welcome('a', 0)
    const stop = link.follow(topic)
    wire.say({ t: 'topic-gone', topic })
    expect(page.mirror.topics[topic]).toEqual({ is: 'gone' })
    stop()
    expect(page.mirror.topics).toEqual({})
  })
})
