import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { type AppParts, AppSession } from './app-session.ts'

interface Posted {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

const RESULT = { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 }, _meta: { b: 2 } }

/** A session with a view that says what a test lets it say. */
function open(parts: Partial<AppParts> = {}) {
  const clock = new ManualClock(1_000)
  const posted: Posted[] = []
  const done: string[] = []
  const blocked: string[] = []
  const person = { acts: false }
  const session = new AppSession({
    clock,
    version: '1.2.3',
    tool: 'show',
    arguments: { a: 1 },
    result: RESULT,
    hosts: [],
    network: false,
    context: () => ({ theme: 'dark', variables: { '--a': 'b' }, locale: 'en', timeZone: 'UTC', platform: 'web', width: 600 }),
    // A copy, as the real channel makes: what a session changes later was not sent.
    post: (message) => posted.push(structuredClone(message) as Posted),
    call: async (tool) => {
      done.push(`call ${tool}`)
      return RESULT
    },
    read: async (uri) => {
      done.push(`read ${uri}`)
      return { contents: [] }
    },
    tell: async (text, structured) => done.push(`tell ${text} ${JSON.stringify(structured)}`),
    acted: () => person.acts,
    openLink: (url) => done.push(`link ${url}`),
    propose: (text) => done.push(`text ${text}`),
    onHeight: (pixels) => done.push(`height ${pixels}`),
    display: (wanted) => {
      done.push(`display ${wanted}`)
      return wanted
    },
    onStarted: () => done.push('started'),
    onBlocked: (what, name, times = 1) => blocked.push(...Array<string>(times).fill(`${what} ${name}`.trim())),
    fail: (why) => done.push(`fail ${why}`),
    ...parts,
  })
  const say = (message: object) => session.hear({ jsonrpc: '2.0', ...message })
  let lastId = 0
  /** The answer to one request. */
  const ask = async (method: string, params: object = {}) => {
    const id = `v${++lastId}`
    say({ id, method, params })
    await settled()
    return posted.find((one) => one.id === id && one.method === undefined)
  }
  const initialize = (params: object = {}) => ask('ui/initialize', params)
  const start = async (params: object = {}) => {
    await initialize(params)
    say({ method: 'ui/notifications/initialized' })
    posted.length = 0
    done.length = 0
  }
  return { clock, session, posted, done, blocked, person, say, ask, initialize, start }
}

/** Once every promise that is under way has been seen. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a refused request of a view', () => {
  it('is shown to the person by its purpose, each time (APP-29)', async () => {
    const { start, ask, session, blocked } = open()
    await start()
    session.hear(new Map())
    session.hear('{}')
    await ask('ui/open-link', { url: 'https://example.com' })
    await ask('ui/open-link', { url: 'javascript:alert(1)' })
    await ask('ui/message', { content: { type: 'text', text: 'a' } })
    await ask('ui/update-model-context', { content: [{ type: 'image' }] })
    await ask('ui/request-display-mode', { mode: 'fullscreen' })
    await ask('tools/call', { name: 7 })
    await ask('sampling/createMessage')
    await ask('ui/initialize')
    expect(blocked).toEqual([
      ...['message', 'message', 'link', 'link', 'text', 'text', 'size', 'message'],
      ...['method sampling/createMessage', 'method ui/initialize'],
    ])
  })

  it('is shown as what the view’s own page tells of its sandbox, within bounds (APP-29)', () => {
    const { say, blocked } = open()
    const tell = (list: unknown) => say({ method: 'parley/blocked', params: { blocked: list } })
    tell([
      { what: 'window', name: '', times: 2 },
      { what: 'feature', name: 'camera', times: 1 },
    ])
    expect(blocked).toEqual(['window', 'window', 'feature camera'])
    const [one] = [{ what: 'window', name: '', times: 1 }]
    for (const wrong of [7, {}, [null], ['a'], [{ ...one, what: 'call' }], [{ ...one, what: '__proto__' }]]) tell(wrong)
    for (const name of [7, 'Parley: allow', 'a'.repeat(61), undefined]) tell([{ ...one, name }])
    for (const times of [0, -1, 0.5, '1', undefined]) tell([{ ...one, times }])
    expect(blocked).toHaveLength(3)
    tell(Array(100).fill(one))
    expect(blocked).toHaveLength(3 + 32)
  })

  it('is shown for an answer to no question and for a notice that only hosts send (APP-29)', async () => {
    const { start, session, say, posted, blocked } = open()
    await start()
    session.ping()
    say({ id: posted.at(-1)?.id, result: {} })
    say({ method: 'notifications/message', params: {} })
    expect(blocked).toEqual([])
    say({ id: posted.at(-1)?.id, result: {} })
    say({ id: 1, result: {} })
    say({ method: 'ui/notifications/tool-result', params: {} })
    expect(blocked).toEqual(['message', 'message', 'method ui/notifications/tool-result'])
  })

  it('is not shown when it failed or was answered', async () => {
    const { start, ask, blocked } = open({ read: () => Promise.reject(new Error('The server is away.')) })
    await start()
    await ask('resources/read', { uri: 'ui://a' })
    await ask('tools/call', { name: 'save', arguments: {} })
    expect(blocked).toEqual([])
  })
})

describe('the start of a view', () => {
  it('goes in order: nothing before initialized, then the arguments, then the result unchanged (APP-9, APP-10)', async () => {
    const { session, posted, done, say, initialize } = open()
    const early = () => {
      session.ping()
      session.contextChanged({ theme: 'light' })
    }
    early()
    expect(posted).toEqual([])
    await initialize()
    early()
    expect(posted.map(({ method }) => method)).toEqual([undefined])
    expect(done).toEqual([])
    say({ method: 'ui/notifications/initialized' })
    expect(posted.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: RESULT },
    ])
    expect(done).toEqual(['started'])
  })

  it('happens once: a second initialize is refused, and a second initialized changes nothing (APP-10, APP-14)', async () => {
    const { posted, done, say, initialize, start } = open()
    await start()
    expect((await initialize())?.error?.code).toBe(-32600)
    posted.length = 0
    say({ method: 'ui/notifications/initialized' })
    expect(posted).toEqual([])
    expect(done).toEqual([])
  })

  it('cannot be skipped: initialized alone gives nothing, and other requests are refused before it (APP-9)', async () => {
    const { posted, done, say, ask, person } = open()
    person.acts = true
    say({ method: 'ui/notifications/initialized' })
    expect(posted).toEqual([])
    for (const [method, params] of [
      ['ping', {}],
      ['tools/call', { name: 'save', arguments: {} }],
      ['resources/read', { uri: 'ui://a' }],
      ['ui/open-link', { url: 'https://example.com' }],
      ['ui/message', { role: 'user', content: [{ type: 'text', text: 'a' }] }],
      ['ui/request-display-mode', { mode: 'fullscreen' }],
    ] as const) {
      expect((await ask(method, params))?.error?.code).toBe(-32600)
    }
    expect(done).toEqual([])
  })

  it('fails in words after 15 seconds without initialized, and is then over (APP-27)', async () => {
    const { clock, posted, done, say, initialize } = open()
    await initialize()
    clock.advance(14_999)
    expect(done).toEqual([])
    clock.advance(1)
    expect(done).toEqual(['fail The view did not start within 15 seconds.'])
    posted.length = 0
    say({ method: 'ui/notifications/initialized' })
    expect(posted).toEqual([])
    expect(done).toHaveLength(1)
  })

  it.each([
    [['a.example.com'], true, 'It loads from a.example.com: perhaps nothing answers there.'],
    [['a.example.com', 'b.example.com'], false, 'You did not let it load from a.example.com and b.example.com.'],
    [['a.example.com', 'b.example.com', 'c.example.com'], false, 'You did not let it load from a.example.com and 2 more.'],
  ])('names the hosts it may be waiting for: %s (APP-24, APP-27)', (hosts, network, reason) => {
    const { clock, done } = open({ hosts, network })
    clock.advance(15_000)
    expect(done).toEqual([`fail The view did not start within 15 seconds. ${reason}`])
  })

  it('ends the wait (APP-27)', async () => {
    const { clock, done, start } = open()
    await start()
    expect(clock.pending).toBe(0)
    clock.advance(60_000)
    expect(done).toEqual([])
  })

  it('tells the view no more about the host than it needs (APP-23, APP-33, APP-36)', async () => {
    const { result } = (await open().initialize()) ?? {}
    const { hostCapabilities, hostContext, hostInfo, protocolVersion } = result as Record<string, Record<string, unknown>>
    expect(protocolVersion).toBe('2026-01-26')
    expect(hostInfo).toEqual({ name: 'Parley', version: '1.2.3' })
    expect(Object.keys(hostContext ?? {}).sort()).toEqual([
      'availableDisplayModes',
      'containerDimensions',
      'displayMode',
      'locale',
      'platform',
      'styles',
      'theme',
      'timeZone',
      'toolInfo',
    ])
    expect(hostCapabilities?.sandbox).toEqual({ permissions: {} })
    for (const left of ['downloadFile', 'sampling', 'tools']) expect(hostCapabilities).not.toHaveProperty(left)
  })
})

describe('a message from a view', () => {
  it('is refused for a method that this host does not have (APP-36)', async () => {
    const { start, ask, done } = open()
    await start()
    for (const method of [
      'sampling/createMessage',
      'tools/list',
      'ui/download-file',
      'ui/resource-teardown',
      'ui/notifications/tool-result',
      'resources/list',
      'roots/list',
      'initialize',
      '__proto__',
      'constructor',
      'toString',
    ])
      expect((await ask(method))?.error?.code).toBe(-32601)
    expect(done).toEqual([])
  })

  it('changes nothing as an answer, whatever its id (APP-14)', async () => {
    const { start, session, say, posted, done } = open()
    await start()
    session.ping()
    const [ping] = posted
    posted.length = 0
    for (const id of [ping?.id, 'parley-1', 'parley-2', 1, 'v1']) {
      say({ id, result: RESULT })
      say({ id, error: { code: 1, message: 'a' } })
    }
    await settled()
    expect(posted).toEqual([])
    expect(done).toEqual([])
  })

  it('changes nothing as a copy of the host’s message (APP-14)', async () => {
    const { start, say, posted, done } = open()
    await start()
    say({ method: 'ui/notifications/tool-result', params: RESULT })
    say({ method: 'ui/notifications/tool-input', params: { arguments: {} } })
    say({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } })
    say({ method: 'ui/notifications/sandbox-proxy-ready', params: {} })
    await settled()
    expect(posted).toEqual([])
    expect(done).toEqual([])
  })

  it('is answered once when malformed, so that a flood gets no flood back (APP-14)', async () => {
    const { start, session, posted, done } = open()
    await start()
    for (let n = 0; n < 50; n += 1) session.hear({ jsonrpc: '2.0', id: n, method: 7 })
    session.hear('no object')
    await settled()
    expect(posted).toHaveLength(1)
    expect(posted[0]?.error?.code).toBe(-32600)
    expect(done).toEqual([])
  })

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 7, arguments: {} }],
    [{ name: 'save', arguments: [] }],
    [{ name: 'save', arguments: 'a' }],
    [{ name: ['save'], arguments: {} }],
  ])('is no call when it is %j (APP-14)', async (params) => {
    const { start, ask, done } = open()
    await start()
    expect((await ask('tools/call', params))?.error?.code).toBe(-32602)
    expect(done).toEqual([])
  })

  it('is answered with the reason where the host refuses it', async () => {
    const { start, ask } = open({ call: () => Promise.reject(new Error('You denied it.')) })
    await start()
    expect((await ask('tools/call', { name: 'save' }))?.error).toEqual({ code: -32000, message: 'You denied it.' })
  })

  it('gets no answer once the view gave it up, which is no refusal', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { start, say, posted, blocked } = open({ call: () => promise })
    await start()
    say({ id: 7, method: 'tools/call', params: { name: 'slow' } })
    say({ id: 8, method: 'tools/call', params: { name: 'slow' } })
    say({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'timeout' } })
    resolve(RESULT)
    await settled()
    expect(posted.map(({ id }) => id)).toEqual([8])
    expect(blocked).toEqual([])
  })

  it('gets no answer once the view has ended (APP-11)', async () => {
    let finish: (value: unknown) => void = () => {}
    const { start, say, session, posted } = open({
      call: () =>
        new Promise((resolve) => {
          finish = resolve
        }),
    })
    await start()
    say({ id: 1, method: 'tools/call', params: { name: 'save' } })
    session.end('closed')
    expect(posted.map(({ method, params }) => [method, params])).toEqual([['ui/resource-teardown', { reason: 'closed' }]])
    finish(RESULT)
    say({ id: 2, method: 'ping' })
    session.contextChanged({ theme: 'light' })
    await settled()
    expect(posted).toHaveLength(1)
  })
})

describe('a flood of messages', () => {
  it('of more than 200 in a second ends the view in words, and the rest is not read (APP-28)', async () => {
    const { start, say, clock, posted, done } = open()
    await start()
    clock.advance(5_000)
    for (let n = 0; n < 200; n += 1) say({ method: 'notifications/message' })
    expect(done).toEqual([])
    for (let n = 0; n < 10_000; n += 1) say({ id: n, method: 'tools/call', params: { name: 'save' } })
    await settled()
    expect(done).toEqual(['fail The view sent too many messages and was stopped.'])
    expect(posted).toEqual([])
  })

  it('is not seen when they come over several seconds (APP-28)', async () => {
    const { start, say, clock, done } = open()
    await start()
    for (let second = 0; second < 10; second += 1) {
      clock.advance(1_000)
      for (let n = 0; n < 150; n += 1) say({ method: 'notifications/message' })
    }
    expect(done).toEqual([])
  })

  it('of more than 4 MiB in a second ends the view in words (APP-28)', async () => {
    const { start, say, clock, done } = open()
    await start()
    clock.advance(5_000)
    const half = 'a'.repeat(512 * 1024)
    for (let n = 0; n < 7; n += 1) say({ method: 'notifications/message', params: { data: half } })
    expect(done).toEqual([])
    for (let n = 0; n < 3; n += 1) say({ method: 'notifications/message', params: { data: half } })
    expect(done).toEqual(['fail The view sent too much and was stopped.'])
  })
})

describe('the height of a view', () => {
  it.each([
    [1e9, 800],
    [Number.MAX_VALUE, 800],
    [801, 800],
    [333.4, 333],
    [0, 80],
    [1, 80],
  ])('requested as %d becomes %d (APP-12)', async (asked, given) => {
    const { start, say, done } = open()
    await start()
    say({ method: 'ui/notifications/size-changed', params: { width: 1e9, height: asked } })
    expect(done).toEqual([`height ${given}`])
  })

  it.each([[-1], ['500'], [null], [[500]], [{ valueOf: 500 }], [true]])('does not change for %j (APP-12)', async (asked) => {
    const { start, say, done } = open()
    await start()
    say({ method: 'ui/notifications/size-changed', params: { height: asked } })
    expect(done).toEqual([])
  })

  it('changes by more than 4 pixels, at most ten times a second (APP-12)', async () => {
    const { start, say, clock, done } = open()
    await start()
    clock.advance(5_000)
    const size = (height: number) => say({ method: 'ui/notifications/size-changed', params: { height } })
    for (const height of [300, 304, 296, 301]) size(height)
    expect(done).toEqual(['height 300'])
    for (let n = 0; n < 50; n += 1) size(n % 2 === 0 ? 100 : 700)
    expect(done.length).toBeLessThanOrEqual(10)
  })
})

describe('the display of a view', () => {
  it.each(['fullscreen', 'pip'])('changes to %s where both have it, after the person has acted in it (APP-13)', async (mode) => {
    const { start, ask, person, done } = open()
    await start({ appCapabilities: { availableDisplayModes: ['inline', mode] } })
    expect((await ask('ui/request-display-mode', { mode }))?.error?.code).toBe(-32000)
    expect(done).toEqual([])
    person.acts = true
    expect((await ask('ui/request-display-mode', { mode }))?.result).toEqual({ mode })
    expect(done).toEqual([`display ${mode}`])
  })

  it('is answered with the mode in force, whatever was requested (APP-13)', async () => {
    const { start, ask, person } = open({ display: () => 'inline' })
    await start()
    person.acts = true
    expect((await ask('ui/request-display-mode', { mode: 'fullscreen' }))?.result).toEqual({ mode: 'inline' })
  })

  it.each(['PIP', 'Fullscreen', '', 7, null, ['fullscreen'], '__proto__'])('is never %j (APP-13)', async (mode) => {
    const { start, ask, person, done } = open()
    await start()
    person.acts = true
    expect((await ask('ui/request-display-mode', { mode }))?.result).toEqual({ mode: 'inline' })
    expect(done).toEqual(['display inline'])
  })

  it('becomes small by Escape in its page (APP-13)', async () => {
    const { start, say, done } = open()
    await start()
    say({ method: 'parley/escape', params: {} })
    expect(done).toEqual(['display inline'])
  })

  it('is never a mode that it did not declare (APP-13)', async () => {
    const { start, ask, person, done } = open()
    await start({ appCapabilities: { availableDisplayModes: ['inline', 'pip'] } })
    person.acts = true
    expect((await ask('ui/request-display-mode', { mode: 'fullscreen' }))?.result).toEqual({ mode: 'inline' })
    expect(done).toEqual(['display inline'])
  })
})

describe('a link from a view', () => {
  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'parley-page://app/index.html',
    'mailto:a@example.com',
    'tel:1',
    'vscode://file/etc/passwd',
    'about:blank',
    'view-source:https://example.com',
    '//example.com',
    '/index.html',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(2_048)}`,
    7,
    null,
    ['https://example.com'],
    { href: 'https://example.com' },
  ])('is refused when it is %j (APP-20)', async (url) => {
    const { start, ask, person, done } = open()
    await start()
    person.acts = true
    expect((await ask('ui/open-link', { url }))?.error?.code).toBe(-32602)
    expect(done).toEqual([])
  })

  it('needs an act of the person in the view, and is then asked about (APP-20)', async () => {
    const { start, ask, person, done } = open()
    await start()
    expect((await ask('ui/open-link', { url: 'https://example.com/a' }))?.error?.code).toBe(-32000)
    expect(done).toEqual([])
    person.acts = true
    expect((await ask('ui/open-link', { url: 'https://example.com/a' }))?.result).toEqual({})
    expect(done).toEqual(['link https://example.com/a'])
  })
})

describe('a view’s message for the person', () => {
  const message = (content: unknown) => ['ui/message', { role: 'user', content }] as const

  it('needs an act of the person, and is then proposed as one block or a list (APP-21)', async () => {
    const one = open()
    await one.start()
    expect((await one.ask(...message({ type: 'text', text: 'a' })))?.error?.code).toBe(-32000)
    expect(one.done).toEqual([])
    one.person.acts = true
    expect((await one.ask(...message({ type: 'text', text: 'a' })))?.result).toEqual({})
    expect(one.done).toEqual(['text a'])
    const two = open()
    await two.start()
    two.person.acts = true
    await two.ask(
      ...message([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    )
    expect(two.done).toEqual(['text a\nb'])
  })

  it.each([
    [[]],
    [undefined],
    [null],
    ['a'],
    [{ type: 'image', data: 'aaaa', mimeType: 'image/png' }],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'resource_link', uri: 'file:///etc/passwd' },
      ],
    ],
    [{ type: 'text', text: 7 }],
    [{ type: 'text', text: 'a'.repeat(20_001) }],
    [Array.from({ length: 3 }, () => ({ type: 'text', text: 'a'.repeat(9_000) }))],
  ])('is refused in case %# (APP-21)', async (content) => {
    const { start, ask, person, done } = open()
    await start()
    person.acts = true
    expect((await ask(...message(content)))?.error?.code).toBe(-32602)
    expect(done).toEqual([])
  })

  it('comes at most once a second, however often it is sent after one act (APP-21, APP-28)', async () => {
    const { start, say, clock, person, done } = open()
    await start()
    person.acts = true
    clock.advance(5_000)
    for (let n = 0; n < 150; n += 1)
      say({ id: n, method: 'ui/message', params: { content: { type: 'text', text: 'a'.repeat(10) } } })
    await settled()
    expect(done.filter((one) => one.startsWith('text '))).toHaveLength(1)
    // The person may have clicked twice.
    say({ id: 'link', method: 'ui/open-link', params: { url: 'https://example.com/' } })
    await settled()
    expect(done.at(-1)).toBe('link https://example.com/')
  })
})

describe('a view’s context for the model', () => {
  it('is its text and structured content, once a second, and nothing else (APP-22)', async () => {
    const { clock, done, ask, start } = open()
    await start()
    const tell = (params: object) => ask('ui/update-model-context', params)
    const text = { type: 'text', text: 'Two rows are chosen.' }
    expect(await tell({ content: [text], structuredContent: { rows: 2 } })).toMatchObject({ result: {} })
    expect(await tell({ content: [text] })).toMatchObject({ error: { code: -32000 } })
    clock.advance(1_000)
    for (const wrong of [{ content: [{ type: 'image', data: 'a', mimeType: 'image/png' }] }, { structuredContent: 'rows' }])
      expect(await tell(wrong)).toMatchObject({ error: { code: -32602 } })
    expect(await tell({})).toMatchObject({ result: {} })
    expect(done).toEqual(['tell Two rows are chosen. {"rows":2}', 'tell  undefined'])
  })
})
