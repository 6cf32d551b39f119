// Two worlds of one page that share no objects, as with Electron's contextIsolation: the preload runs in a real isolated world,
// and calls cross by synchronous events on the window that both see. Values cross as JSON, functions as numbers.
// Everything below runs inside the page: each function is sent there as its own source text.

/** One end of the bridge. `mine` and `theirs` name the worlds. */
function bridgeEnd(mine: string, theirs: string) {
  type Crossing =
    | { fn: number }
    | { list: Crossing[] }
    | { object: Record<string, Crossing> }
    | { plain: unknown }
    | { nothing: true }
  const functions: ((...args: unknown[]) => unknown)[] = []
  let reply: { value: Crossing; error?: string } | undefined
  const post = (message: unknown) => dispatchEvent(new CustomEvent(`double-to-${theirs}`, { detail: JSON.stringify(message) }))

  const encode = (value: unknown, depth = 0): Crossing => {
    // Electron copies no deeper.
    if (depth > 1000)
      throw new Error('Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.')
    if (value === undefined) return { nothing: true }
    if (typeof value === 'function') return { fn: functions.push(value as () => unknown) - 1 }
    if (Array.isArray(value)) return { list: value.map((item) => encode(item, depth + 1)) }
    if (typeof value === 'bigint' || typeof value === 'symbol') throw new Error('An object could not be cloned.')
    if (value instanceof Promise) throw new Error('not modelled: a promise over the contextBridge')
    if (typeof value === 'object' && value !== null) {
      return { object: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, depth + 1)])) }
    }
    return { plain: value }
  }
  const decode = (value: Crossing): unknown => {
    if ('nothing' in value) return undefined
    if ('plain' in value) return value.plain
    if ('list' in value) return value.list.map(decode)
    if ('object' in value) return Object.fromEntries(Object.entries(value.object).map(([key, item]) => [key, decode(item)]))
    return (...args: unknown[]) => call(value.fn, args)
  }
  const call = (fn: number, args: unknown[]) => {
    post({ call: fn, args: args.map((arg) => encode(arg)) })
    const got = reply
    reply = undefined
    if (!got) throw new Error('The other world did not answer')
    if (got.error !== undefined) throw new Error(got.error)
    return decode(got.value)
  }
  addEventListener(`double-to-${mine}`, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail)
    if ('reply' in message) {
      reply = message.reply
      return
    }
    if (!('call' in message)) return
    try {
      const value = functions[message.call]?.(...message.args.map(decode))
      post({ reply: { value: encode(value) } })
    } catch (error) {
      post({ reply: { value: { nothing: true }, error: String((error as Error).message) } })
    }
  })
  return { encode, decode, post }
}

/** The page's own world: puts what the preload exposes on the window, frozen. */
function mainWorld(end: typeof bridgeEnd): void {
  if (top !== self) return
  const bridge = end('main', 'preload')
  const frozen = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen)
    return Object.freeze(value)
  }
  addEventListener('double-expose', (event) => {
    const { name, api } = JSON.parse((event as CustomEvent<string>).detail)
    Object.defineProperty(globalThis, name, { value: frozen(bridge.decode(api)), enumerable: true })
  })
}

/** The preload's world: `require('electron')` gives a contextBridge and an ipcRenderer, and nothing else. */
function preloadWorld(end: typeof bridgeEnd, run: (require: unknown, module: unknown, exports: unknown) => void): void {
  if (top !== self) return
  const bridge = end('preload', 'main')
  type Listener = (event: unknown, ...args: unknown[]) => void
  const listeners = new Map<string, Set<Listener>>()
  const world = globalThis as unknown as { __doubleIpc(text: string): void; __doubleHear(channel: string, args: unknown[]): void }
  world.__doubleHear = (channel, args) => {
    for (const listen of [...(listeners.get(channel) ?? [])]) listen({}, ...args)
  }
  const strict = (name: string, target: object) =>
    new Proxy(target, {
      get(of, key) {
        if (typeof key === 'symbol' || key in of) return Reflect.get(of, key)
        throw new Error(`not modelled: ${name}.${key}`)
      },
    })
  const electron = strict('electron', {
    contextBridge: strict('contextBridge', {
      exposeInMainWorld(name: string, api: unknown) {
        dispatchEvent(new CustomEvent('double-expose', { detail: JSON.stringify({ name, api: bridge.encode(api) }) }))
      },
    }),
    ipcRenderer: strict('ipcRenderer', {
      send: (channel: string, ...args: unknown[]) => world.__doubleIpc(JSON.stringify({ channel, args })),
      on(channel: string, listen: Listener) {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listen))
      },
      removeListener(channel: string, listen: Listener) {
        listeners.get(channel)?.delete(listen)
      },
    }),
  })
  const require = (name: string) => {
    if (name === 'electron') return electron
    throw new Error(`A sandboxed preload cannot require ${name}`)
  }
  const module = { exports: {} }
  run(require, module, module.exports)
}

export const MAIN_WORLD_SCRIPT = `(${mainWorld})(${bridgeEnd})`

export function preloadScript(source: string): string {
  return `(${preloadWorld})(${bridgeEnd}, (require, module, exports) => {${source}\n})`
}
