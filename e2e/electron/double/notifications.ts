import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'

interface Options {
  readonly title: string
  readonly body: string
  readonly actions?: readonly { readonly type: 'button'; readonly text: string }[]
}

class ShownNotification extends ModelledEvents {
  readonly options: Options

  constructor(options: Options) {
    super('Notification', ['click', 'close', 'action'])
    onlyKeys('Notification', options, ['title', 'body', 'actions'])
    for (const action of options.actions ?? []) onlyKeys('NotificationAction', action, ['type', 'text'])
    if (options.actions && process.platform === 'linux') throw new Error('not modelled: Linux shows no buttons in notifications')
    this.options = options
  }

  show(): void {
    current = this
    record('Notification.show', this.options)
  }

  close(): void {
    if (current === this) current = undefined
    record('notification.close', this.options.title)
    this.emit('close', preventable({ reason: 'applicationHidden' }))
  }

  static isSupported(): boolean {
    return true
  }
}

let current: ShownNotification | undefined

/** The person clicks the newest one, or one of its buttons. Answers whether it was there. */
onOrder('click-notification', ({ button }) => {
  const notification = current
  if (!notification) return false
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
