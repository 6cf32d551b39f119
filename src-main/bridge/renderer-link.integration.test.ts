import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../e2e/support/fence-here.ts'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../e2e/test-hosts/server-host.ts'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'
import { CONTRACT, type HostChannel, type HostFrame, type RendererFrame } from '../../src-shared/contract/channel.ts'
import { applyEvent, emptySnapshot, type HostSnapshot } from '../../src-shared/contract/events.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import { applyTopicEvent, type Topic, type TopicValue } from '../../src-shared/contract/topics.ts'
import { StorageError } from '../storage/base/storage.ts'
import { serveRenderer } from './renderer-link.ts'

const fenceable = (await fenceHere()) && process.platform !== 'win32'

type Result = Extract<HostFrame, { t: 'result' }>

/** A window without a page: sends frames, keeps those that came, and mirrors as the page does. */
class Window {
  readonly frames: HostFrame[] = []
  readonly remarks: string[] = []
  snapshot: HostSnapshot = emptySnapshot
  seq = -1
  /** A number of the event stream was missing. */
  holes = 0
  readonly topics = new Map<Topic, { seq: number; value: TopicValue }>()
  /** Bytes that the other side did not take yet. */
  backlog = 0
  readonly #listeners = new Set<(frame: RendererFrame) => void>()
  /** Far from what a random frame would name. */
  #id = 1_000_000_000
  readonly close: () => void

  constructor(parley: ServerHost, clock: Clock) {
    const channel: HostChannel = {
      // Frames are JSON: nothing else may be in one.
      send: (frame) => this.#receive(JSON.parse(JSON.stringify(frame)) as HostFrame),
      onFrame: (listen) => {
        this.#listeners.add(listen)
        return () => this.#listeners.delete(listen)
      },
      backlog: () => this.backlog,
    }
    this.close = serveRenderer(channel, parley.host, { clock, onRemark: (text) => this.remarks.push(text) })
    onTestFinished(this.close)
  }

  /** Anything: a window is not trusted. */
  say(frame: unknown): void {
    for (const listen of [...this.#listeners]) listen(frame as RendererFrame)
  }

  hello(): this {
    this.say({ t: 'hello', contract: CONTRACT })
    return this
  }

  send(name: string, params: unknown): number {
    const id = ++this.#id
    this.say({ t: 'request', id, name, params })
    return id
  }

  result(id: number): Promise<Result> {
    return until(() => this.frames.find((frame): frame is Result => frame.t === 'result' && frame.id === id), `result ${id}`)
  }

  async request<N extends HostRequestName>(name: N, params: ParamsOf<N>): Promise<ResultOf<N>> {
    const result = await this.result(this.send(name, params))
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
    return result.value as ResultOf<N>
  }

  count(t: HostFrame['t']): number {
    return this.frames.filter((frame) => frame.t === t).length
  }

  #receive(frame: HostFrame): void {
    this.frames.push(frame)
    if (frame.t === 'welcome') {
      this.snapshot = frame.snapshot
      this.seq = frame.seq
      this.topics.clear()
    } else if (frame.t === 'events') {
      if (frame.from !== this.seq + 1) this.holes += 1
      this.snapshot = frame.events.reduce(applyEvent, this.snapshot)
      this.seq = frame.from + frame.events.length - 1
    } else if (frame.t === 'topic') {
      this.topics.set(frame.topic, { seq: frame.seq, value: frame.value })
    } else if (frame.t === 'topic-events') {
      const topic = this.topics.get(frame.topic)
      if (!topic || frame.from !== topic.seq + 1) this.holes += 1
      else {
        const value = frame.events.reduce((now, event) => applyTopicEvent(now, event), topic.value)
        this.topics.set(frame.topic, { seq: frame.from + frame.events.length - 1, value })
      }
    }
  }
}

async function open() {
  const clock = new ManualClock()
  const parley = await ServerHost.open({ clock })
  return { clock, parley, window: new Window(parley, clock) }
}

const theme = (value: 'dark' | 'light') => ({
  type: 'settings.changed' as const,
  settings: { ...emptySnapshot.settings, theme: value },
})

describe('the link to a window', () => {
  it('sends the whole snapshot first, then every event once, 16 ms apart', async () => {
    const { clock, parley, window } = await open()
    window.hello()
    expect(window.snapshot).toEqual(parley.host.state.snapshot)
    for (let n = 0; n < 50; n++) parley.host.state.emit(theme(n % 2 ? 'dark' : 'light'))
    expect(window.count('events')).toBe(0)
    clock.advance(16)
    expect(window.count('events')).toBe(1)
    expect(window.snapshot).toEqual(parley.host.state.snapshot)
    expect(window.holes).toBe(0)
  })

  it('shows the effects of a request before its result', async () => {
    const { parley, window } = await open()
    window.hello()
    const { serverId } = await window.request('server.add', {
      config: { name: 'ok', launch: small('ok.mjs'), options: { enabled: false } },
    })
    expect(window.snapshot.servers[serverId]).toMatchObject({ name: 'ok', state: { is: 'stopped' } })
    expect(window.snapshot).toEqual(parley.host.state.snapshot)
  })

  it.skipIf(!fenceable)('opens a fence for what it blocked, and for no other name of a window', async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()]
    const parley = await ServerHost.open()
    const window = new Window(parley, systemClock).hello()
    const fence = { network: 'none' as const, folders: [] }
    const serverId = await parley.ready('reader', small('reach.mjs'), { fence })
    const path = join(folder, 'note.txt')
    await writeFile(path, 'from the folder')
    expect(await parley.call(serverId, 'read_file', { path })).toContain('refused')
    expect(parley.record('reader').blocked).toMatchObject([{ kind: 'folder', name: folder }])
    expect(await window.request('fence.open', { serverId, name: other })).toEqual({ opened: false })
    expect(parley.record('reader').options.fence).toEqual(fence)
    expect(await window.request('fence.open', { serverId, name: folder })).toEqual({ opened: true })
    expect(parley.record('reader').options.fence).toEqual({ ...fence, folders: [{ path: folder, write: false }] })
    expect(await parley.call(serverId, 'read_file', { path })).toContain('from the folder')
  })

  it('shows in one window a note that was saved, renamed or removed in another', async () => {
    const { clock, parley, window } = await open()
    const other = new Window(parley, clock).hello()
    window.hello()
    const titles = () => {
      clock.advance(16)
      return other.snapshot.notes.map(({ title }) => title)
    }
    const { id } = await window.request('conversation.create', {})
    const { messageId } = await window.request('conversation.send', { id, text: 'Boil the water first.' })
    const note = await window.request('note.save', { id, messageId })
    expect(titles()).toEqual(['Boil the water first.'])
    await window.request('note.rename', { id: note.id, title: 'Tea' })
    expect(titles()).toEqual(['Tea'])
    await window.request('note.remove', { id: note.id })
    expect(titles()).toEqual([])
    await other.request('note.restore', { id: note.id })
    expect(window.snapshot.notes).toEqual([])
    clock.advance(16)
    expect(window.snapshot.notes).toMatchObject([{ id: note.id, title: 'Tea' }])
  })

  it('carries a person from the form to the first call', async () => {
    const { clock, window } = await open()
    window.hello()
    const { serverId } = await window.request('server.add', { config: { name: 'ok', launch: small('ok.mjs') } })
    const question = await until(() => {
      clock.advance(16)
      return window.snapshot.interactions[0]
    }, 'the question')
    if (question.kind !== 'server-trust') throw new Error('no question')
    const answer = { id: question.id, kind: question.kind, answer: { decision: 'allow' } } as const
    expect(await window.request('interaction.answer', answer)).toEqual({ accepted: true })
    expect(await window.request('interaction.answer', answer)).toEqual({ accepted: false })
    await until(() => {
      clock.advance(16)
      return window.snapshot.servers[serverId]?.state.is === 'ready'
    }, 'the server to be ready')
    const { items, total } = await window.request('catalog.tools', { serverId, search: 'again' })
    expect([items[0]?.name, total]).toEqual(['echo', 1])
    const result = await window.request('server.call', { serverId, tool: 'echo', arguments: { text: 'hi' } })
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text', text: 'hi' }] })
    expect((await window.request('traffic.read', { serverId })).entries.length).toBeGreaterThan(4)

    await window.request('server.call', { serverId, tool: 'grow', arguments: {} })
    await until(async () => {
      clock.advance(100)
      const page = await window.request('catalog.tools', { serverId })
      return page.items.map((tool) => tool.changed).join() === 'changed,,,,,,new'
    }, 'the marks of what changed')
  })

  it('follows a topic without a gap from its value to its end', async () => {
    const { clock, parley, window } = await open()
    const id = await parley.ready('ok', small('ok.mjs'))
    const topic: Topic = `server/${id}`
    window.hello()
    window.say({ t: 'open', topic })
    await until(() => window.topics.has(topic), 'the topic')
    for (let n = 0; n < 5; n++) await parley.call(id, 'log', { text: `line ${n}` })
    await until(async () => {
      clock.advance(100)
      return JSON.stringify(window.topics.get(topic)).includes('line 4')
    }, 'the lines')
    expect(window.holes).toBe(0)
    await window.request('server.remove', { serverId: id })
    await until(() => window.count('topic-gone') === 1, 'the end of the topic')
    window.say({ t: 'open', topic: 'server/nobody' })
    await until(() => window.count('topic-gone') === 2, 'the topic that is none')
  })

  it('says why a topic could not be opened, even the sixty-fifth', async () => {
    const { parley, window } = await open()
    window.hello()
    const whyOf = (topic: Topic) => {
      const gone = window.frames.find((frame) => frame.t === 'topic-gone' && frame.topic === topic)
      return gone?.t === 'topic-gone' ? gone.why : undefined
    }
    const { id } = await parley.host.conversations.create()
    parley.storage.conversations.open = async () => {
      throw new StorageError('corrupt', 'This conversation is damaged.')
    }
    window.say({ t: 'open', topic: `conversation/${id}` })
    await until(() => whyOf(`conversation/${id}`) === 'This conversation is damaged.', 'the reason')
    for (let n = 0; n < 65; n++) window.say({ t: 'open', topic: `resource/${n}/x:y` })
    await until(() => whyOf('resource/64/x:y')?.includes('Too much is open') ?? false, 'the answer to one too many')
    expect(whyOf('resource/63/x:y') ?? '').not.toContain('Too much')
  })

  it('starts over with everything when a window says hello again', async () => {
    const { clock, parley, window } = await open()
    window.hello()
    parley.host.state.emit(theme('dark'))
    window.hello()
    expect(window.count('welcome')).toBe(2)
    expect(window.snapshot.settings.theme).toBe('dark')
    clock.advance(100)
    expect(window.count('events')).toBe(0)
    parley.host.state.emit(theme('light'))
    clock.advance(16)
    expect(window.snapshot).toEqual(parley.host.state.snapshot)
    expect(window.holes).toBe(0)
  })

  it('drops everything for a window that reads too slowly, and lets it start over (SEC-23)', async () => {
    const { clock, parley, window } = await open()
    window.hello()
    window.backlog = 4 * 1024 * 1024 + 1
    parley.host.state.emit(theme('dark'))
    clock.advance(16)
    expect(window.frames.at(-1)).toEqual({ t: 'again', why: 'behind' })
    const before = window.frames.length
    for (let n = 0; n < 10_000; n++) parley.host.state.emit(theme(n % 2 ? 'dark' : 'light'))
    const late = window.send('consent.list', {})
    window.hello()
    clock.advance(1000)
    expect(window.frames.length).toBe(before)
    window.backlog = 0
    clock.advance(100)
    expect(window.count('welcome')).toBe(2)
    expect(window.snapshot).toEqual(parley.host.state.snapshot)
    // The answer to what it asked meanwhile was kept for it.
    expect(await window.result(late)).toMatchObject({ ok: true, value: { rules: [] } })
  })

  it('tells a window of another build to reload, and serves it nothing', async () => {
    const { window } = await open()
    window.say({ t: 'hello', contract: CONTRACT + 1 })
    expect(window.frames).toEqual([{ t: 'again', why: 'contract' }])
    expect(await window.result(window.send('consent.list', {}))).toMatchObject({ ok: false, error: { code: 'refused' } })
  })

  it('ends a cancelled request at once, however long its work takes', async () => {
    const { clock, parley, window } = await open()
    const serverId = await parley.ready('ok', small('ok.mjs'))
    window.hello()
    const id = window.send('server.call', { serverId, tool: 'nothing-comes', arguments: {} })
    window.say({ t: 'cancel', id })
    expect(await window.result(id)).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    clock.advance(1000)
    expect(window.frames.filter((frame) => frame.t === 'result').length).toBe(1)
  })

  it('ends nothing but itself when its window closes', async () => {
    const { clock, parley, window } = await open()
    const other = new Window(parley, clock).hello()
    window.hello()
    await window.request('server.add', { config: { name: 'ok', launch: small('ok.mjs') } })
    await until(() => parley.host.state.snapshot.interactions[0], 'the question')
    window.close()
    const before = window.frames.length
    parley.host.state.emit(theme('dark'))
    clock.advance(16)
    expect(window.frames.length).toBe(before)
    expect(other.snapshot.interactions.length).toBe(1)
    expect(other.snapshot).toEqual(parley.host.state.snapshot)
  })

  it('sends a snapshot under 256 KiB however much a hundred servers describe', async () => {
    const folder = await temporaryFolder()
    const { writeFile } = await import('node:fs/promises')
    const first = await ServerHost.open({ folder })
    const { path } = first.storage.serverFile
    await first.end()
    const entries = Array.from({ length: 100 }, (_, n) => [
      `server ${n}`,
      { command: 'nowhere', args: ['x'.repeat(200)], disabled: true },
    ])
    await writeFile(path, JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
    const clock = new ManualClock()
    const window = new Window(await ServerHost.open({ folder, clock }), clock).hello()
    expect(Object.keys(window.snapshot.servers).length).toBe(100)
    expect(JSON.stringify(window.frames[0]).length).toBeLessThan(256 * 1024)
  })
})

describe('an untrusted window', () => {
  const requests: readonly (readonly [string, unknown])[] = [
    ['server.add', {}],
    ['server.add', { config: { name: 'a', launch: { type: 'built-in' } } }],
    ['server.add', { config: { name: 'a', launch: { ...small('ok.mjs'), extra: 1 } } }],
    ['server.start', { serverId: 7 }],
    ['server.start', null],
    ['server.setOptions', { serverId: 'a', options: { requestTimeout: -1 } }],
    ['server.call', { serverId: 'a', tool: 't', arguments: [] }],
    ['interaction.answer', { id: 'a', kind: 'server-trust', answer: { decision: 'yes' } }],
    ['interaction.answer', { id: 'a', kind: 'nothing', answer: {} }],
    ['interaction.draft', { id: 'a', draft: deep(1000) }],
    ['blob.text', { blob: '../../etc/passwd', offset: 0 }],
    ['settings.change', { settings: { theme: 'pink' } }],
    ...[0, 1.5, 201].map((roundLimit) => ['settings.change', { settings: { roundLimit } }] as const),
    ...[59_999, 86_400_001].map((questionLife) => ['settings.change', { settings: { questionLife } }] as const),
    ...[0, 101].map((toolShare) => ['settings.change', { settings: { toolShare } }] as const),
    ...[0, 255, 1.5, 1e12].map((tokens) => ['provider.setWindow', { id: 'a', model: 'm', tokens }] as const),
    ['server.setOptions', { serverId: 'a', options: { maxRequestTime: 86_400_001 } }],
    ['conversation.tag', { id: 'a', tags: ['x'.repeat(41)] }],
    ['conversation.tag', { id: 'a', tags: Array.from({ length: 13 }, (_, n) => `${n}`) }],
    ['interaction.answer', { id: 'a', kind: 'elicitation-form', answer: { action: 'decline', content: { a: 1 } } }],
    ['interaction.answer', { id: 'a', kind: 'elicitation-form', answer: { action: 'allow' } }],
    ['interaction.answer', { id: 'a', kind: 'tool-consent', answer: { decision: 'allow' } }],
    ['interaction.answer', { id: 'a', kind: 'tool-consent', answer: null }],
    ['blob.link', { blob: { blob: '0'.repeat(64), bytes: 1, mimeType: 'text/plain', extra: 1 } }],
    ['conversation.setModel', { id: 'a', model: { provider: 'p', model: 'm', extra: 1 } }],
  ]

  it('is told when its params are invalid, and nothing happens (ARCH-06)', async () => {
    const { parley, window } = await open()
    window.hello()
    for (const [name, params] of requests) {
      const result = await window.result(window.send(name, params))
      expect(result, name).toMatchObject({ ok: false, error: { code: 'invalid-params' } })
    }
    expect(parley.host.state.snapshot.servers).toEqual({})
  })

  it('finds no request under a name that every object has', async () => {
    const { window } = await open()
    window.hello()
    for (const name of ['__proto__', 'constructor', 'toString', 'server.Add', '']) {
      const result = await window.result(window.send(name, {}))
      expect(result, name).toMatchObject({ ok: false, error: { code: 'unknown-request' } })
    }
  })

  it('opens no link but https, and looks into no folder where the shell has a dialog (ARCH-06)', async () => {
    const opened: string[] = []
    const clock = new ManualClock()
    const parley = await ServerHost.open({
      clock,
      platform: { openExternal: async (url) => void opened.push(url), pickFolder: async () => null },
    })
    const window = new Window(parley, clock).hello()
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'http://example.com/', 'nonsense']) {
      expect(await window.result(window.send('platform.openLink', { url }))).toMatchObject({
        ok: false,
        error: { code: 'refused' },
      })
    }
    await window.request('platform.openLink', { url: 'https://example.com/a' })
    expect(opened).toEqual(['https://example.com/a'])
    expect(await window.result(window.send('folder.list', {}))).toMatchObject({ ok: false, error: { code: 'refused' } })
  })

  it('cannot disturb the host or fill the log with malformed frames', async () => {
    const { parley, window } = await open()
    window.hello()
    const frame = fc.oneof(
      fc.anything(),
      fc.record({
        t: fc.constantFrom('hello', 'request', 'cancel', 'open', 'close', 'x'),
        id: fc.anything(),
        name: fc.anything(),
        topic: fc.anything(),
        contract: fc.anything(),
      }),
      fc.record({
        t: fc.constant('request'),
        id: fc.nat(),
        name: fc.constantFrom('server.add', 'interaction.answer', 'server.change'),
        params: fc.anything(),
      }),
      fc.record({ t: fc.constant('open'), topic: fc.string() }),
    )
    const sayAny = fc.asyncProperty(frame, async (value) => {
      window.say(value)
      await new Promise((turn) => setImmediate(turn))
    })
    await fc.assert(sayAny, { numRuns: 1000 })
    window.hello()
    expect(await window.request('consent.list', {})).toEqual({ rules: [] })
    expect(window.remarks.length).toBeLessThanOrEqual(20)
    expect(window.remarks.every((text) => text.length < 2000)).toBe(true)
    expect(parley.host.state.snapshot.servers).toEqual({})
  })

  it('has at most 256 requests running', async () => {
    const { parley, window } = await open()
    await parley.ready('ok', small('ok.mjs'))
    window.hello()
    const ids = Array.from({ length: 300 }, () =>
      window.send('server.call', { serverId: 'ok' as ServerId, tool: 'hang', arguments: {} }),
    )
    const last = ids.at(-1) ?? 0
    expect(await window.result(last)).toMatchObject({ ok: false, error: { code: 'refused' } })
  })

  it('learns nothing of an internal failure but a number for the log', async () => {
    const { parley, window } = await open()
    window.hello()
    const words = 'token=hidden-value'
    parley.host.consent.rules.list = () => {
      throw new TypeError(words)
    }
    const result = await window.result(window.send('consent.list', {}))
    expect(result).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(JSON.stringify(result)).not.toContain('hidden-value')
    const [, number = '-'] = /under (\w+)/.exec(JSON.stringify(result)) ?? []
    expect(window.remarks.join()).toContain(number)
  })
})

function deep(levels: number): unknown {
  let value: unknown = null
  for (let n = 0; n < levels; n++) value = [value]
  return value
}
