import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { needsReady } from './readiness.ts'

interface Options {
  readonly title: string
  readonly body: string
  readonly actions?: readonly { readonly type: 'button'; readonly text: string }[]
}

class ShownNotification extends ModelledEvents {
  readonly options: Options
  #isShown = false

  constructor(options: Options) {
    super('Notification', ['show', 'click', 'close', 'action', ...(process.platform === 'linux' ? [] : ['failed'])])
    needsReady('Notification')
    onlyKeys('Notification', options, ['title', 'body', 'actions'])
    for (const action of options.actions ?? []) onlyKeys('NotificationAction', action, ['type', 'text'])
    if (options.actions && process.platform === 'linux') throw new Error('not modelled: Linux shows no buttons in notifications')
    this.options = options
  }

  /** Told by `show` once the system has really shown it. A Mac shows none of an app that is not signed. */
  show(): void {
    record('Notification.show', this.options)
    if (process.env.PARLEY_DOUBLE_UNSIGNED === '1') {
      setImmediate(() => this.emit('failed', preventable({}), 'The app is not signed'))
      return
    }
    current = this
    if (!held) setImmediate(() => this.appear())
  }

  appear(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.emit('show', preventable({}))
  }

  /** One that has only left the screen goes for good, and says so no more. */
  close(): void {
    record('notification.close', this.options.title)
    if (current === this) {
      current = undefined
      this.emit('close', preventable({ reason: 'applicationHidden' }))
    }
  }

  timeOut(): void {
    current = undefined
    this.emit('close', preventable({ reason: 'timedOut' }))
  }

  static isSupported(): boolean {
    return true
  }
}

let current: ShownNotification | undefined
let held = false
onOrder('hold-notifications', () => {
  held = true
})
onOrder('time-out-notification', () => current?.timeOut())

/** The person clicks the newest one, or one of its buttons. Answers whether it was there. */
onOrder('click-notification', ({ button }) => {
  const notification = current
  if (!notification) return false
  notification.appear()
  if (button === undefined) {
    notification.emit('click', preventable({}))
    return true
  }
  const actionIndex = notification.options.actions?.findIndex(({ text }) => text === button) ?? -1
  if (actionIndex < 0) return false
  notification.emit('action', preventable({ actionIndex, selectionIndex: -1 }), actionIndex, -1)
  return true
})

let locked = false
onOrder('lock-screen', () => {
  locked = true
})

export const powerMonitor = modelled('powerMonitor', {
  getSystemIdleState: (_threshold: number) => (locked ? 'locked' : 'active'),
})

export { ShownNotification as Notification }
