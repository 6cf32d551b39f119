/** The members of a page's global object that the script touches. The host is no page, so that its types know none of them. */
interface PageGlobal {
  readonly parent: { postMessage(message: unknown, target: string): void }
  readonly document: { readonly currentScript: { remove(): void } }
  readonly ReportingObserver?: new (
    heard: (reports: readonly { readonly body: { readonly featureId: string } }[]) => void,
    of: object,
  ) => { observe(): void }
  addEventListener(type: string, heard: (event: PageEvent) => unknown, capture?: boolean): void
}

interface PageEvent {
  readonly key?: string
  readonly defaultPrevented: boolean
  composedPath(): readonly { readonly tagName?: string; readonly target?: string; hasAttribute?(name: string): boolean }[]
}

/**
 * Runs in a view's page before its own scripts. It tells the host of Escape, and of what was refused: browsers tell nobody what a
 * sandbox refuses, so each use of that is counted here on its way. It guards nothing: a page that evades it is refused all the same.
 */
function watchView(): void {
  const page = globalThis as unknown as PageGlobal
  const { parent } = page
  const later = setTimeout
  const post = (method: string, params: object) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*')
  const counts = new Map<string, number>()
  const tell = () => {
    if (counts.size === 0) return
    const blocked = [...counts].map(([key, times]) => {
      const [what, name] = key.split(' ')
      return { what, name, times }
    })
    counts.clear()
    post('parley/blocked', { blocked })
  }
  const note = (what: string, name = '') => {
    const key = `${what} ${name}`
    if (counts.size === 0) later(tell, 100)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const watched = <T extends object>(run: T, what: string, name: string): T =>
    new Proxy(run, {
      apply: (target, self, args) => {
        note(what, name)
        return Reflect.apply(target as never, self, args)
      },
      construct: (target, args, made) => {
        note(what, name)
        return Reflect.construct(target as never, args, made)
      },
    })
  /** `path` names functions, or members that cannot even be read. */
  const watch = (what: string, name: string, ...paths: readonly string[]) => {
    for (const path of paths) {
      const names = path.split('.')
      const member = names.pop() ?? ''
      const holder = names.reduce<object | undefined>((of, one) => of && Reflect.get(of, one), globalThis)
      const property = holder && Reflect.getOwnPropertyDescriptor(holder, member)
      if (!holder || !property?.configurable) continue
      for (const part of ['value', 'get', 'set'] as const)
        if (typeof property[part] === 'function') property[part] = watched(property[part], what, name)
      Reflect.defineProperty(holder, member, property)
    }
  }
  watch('storage', '', 'localStorage', 'sessionStorage', 'Document.prototype.cookie', 'IDBFactory.prototype.open')
  watch('storage', '', 'caches', 'StorageManager.prototype.getDirectory')
  watch('worker', '', 'SharedWorker', 'Navigator.prototype.serviceWorker')
  watch('window', '', 'open')
  watch('dialog', '', 'alert', 'confirm', 'prompt', 'print')
  watch('feature', 'notifications', 'Notification.requestPermission')
  watch('feature', 'files', 'showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker')
  watch('feature', 'clipboard-read', 'Clipboard.prototype.read', 'Clipboard.prototype.readText')
  watch('feature', 'clipboard-write', 'Clipboard.prototype.write', 'Clipboard.prototype.writeText')
  watch('feature', 'pointer', 'Element.prototype.requestPointerLock')
  if (page.ReportingObserver)
    new page.ReportingObserver(
      (reports) => {
        for (const { body } of reports) note('feature', body.featureId)
      },
      { types: ['permissions-policy-violation'], buffered: true },
    ).observe()
  const onClick = (event: PageEvent) => {
    const link = event.composedPath().find(({ tagName }) => tagName === 'A' || tagName === 'AREA')
    if (!link?.hasAttribute?.('href')) return
    const { target = '' } = link
    const what = link.hasAttribute('download') ? 'download' : /^_(top|parent)$/i.test(target) ? 'top' : 'window'
    if (what === 'window' && /^(_self)?$/i.test(target)) return
    // The page's own listeners may take the click for themselves.
    later(() => {
      if (!event.defaultPrevented) note(what)
    })
  }
  page.addEventListener('click', onClick, true)
  page.addEventListener('pagehide', tell)
  // Keys pressed in a frame are heard there alone, and Escape leaves a view that fills the conversation (APP-13).
  page.addEventListener('keydown', ({ key }) => key === 'Escape' && post('parley/escape', {}), true)
  page.document.currentScript.remove()
}

const WATCH = Buffer.from(`<script>(${watchView})()</script>`)
const BYTE_ORDER_MARK = '\xEF\xBB\xBF'
/** White space, a comment or an instruction, which browsers skip before a doctype, or the doctype itself. */
const BEFORE_PAGE = /[\t\n\f\r ]+|<!--(?:-?>|[\s\S]*?--!?>)|<\?[^>]*>|(<!doctype[^>]*>)/iy
/** Bytes in which a doctype must end. */
const LOOKED_AT = 65_536

/** A view's page as it is served. The script follows the page's own doctype, since browsers choose their layout rules by it. */
export function watchedPage(html: Uint8Array): Uint8Array {
  const text = Buffer.from(html.subarray(0, LOOKED_AT)).toString('latin1')
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  const at = doctypeEnd(text, start) ?? start
  return Buffer.concat([html.subarray(0, at), WATCH, html.subarray(at)])
}

function doctypeEnd(text: string, start: number): number | undefined {
  const read = new RegExp(BEFORE_PAGE)
  read.lastIndex = start
  for (let found = read.exec(text); found; found = read.exec(text)) if (found[1] !== undefined) return read.lastIndex
  return undefined
}
