import type { Bounds } from './displays.ts'

/** Messages of the double to the test that started it, over the process channel. */
export type DoubleReport =
  /** Something that only a system would do: opened outside, shown as a dialog, put into a menu. */
  | { readonly is: 'call'; readonly name: string; readonly args: readonly unknown[] }
  /** A console error or an uncaught error of a page. */
  | { readonly is: 'page-error'; readonly text: string }
  | { readonly is: 'answer'; readonly to: number; readonly value: unknown }

/** Orders of a test to the double: to play the person, the system, or an attacker inside the browser process. */
export type DoubleOrder =
  /** The next message box gets this button. Without it, every box is cancelled. */
  | { readonly do: 'answer-message-box'; readonly response: number }
  /** The next message box stays open until the app takes it back, or the person answers it. */
  | { readonly do: 'leave-message-box-open' }
  /** Answers whether one was open. */
  | { readonly do: 'answer-open-box'; readonly response: number }
  /** The next folder dialog gives this path. Without it, it is cancelled. */
  | { readonly do: 'answer-folder-dialog'; readonly path: string }
  /** A message arrives on an ipc channel as if another sender had sent it. */
  | {
      readonly do: 'ipc'
      readonly from: 'page' | 'iframe' | 'other-window' | 'main-frame-elsewhere' | 'gone-frame' | 'disposed-frame'
      readonly channel: string
      readonly message: unknown
    }
  /** A document asks for a permission; answers what the app decided. */
  | { readonly do: 'ask-permission'; readonly permission: string; readonly url: string; readonly isMainFrame: boolean }
  /** Answers the names of the ipc channels that the app listens on. */
  | { readonly do: 'list-ipc-channels' }
  /** The person clicks an item, by its labels from the top. Answers whether it is there. */
  | {
      readonly do: 'click-menu'
      readonly menu: 'application' | 'tray' | 'context'
      readonly labels: readonly string[]
    }
  | { readonly do: 'click-tray' }
  /** The newest notification, or its button of that text. Answers whether it is there. */
  | { readonly do: 'click-notification'; readonly button?: string }
  /** The system holds notifications back, as it does where nobody is to be disturbed; a click then comes as soon as one appears. */
  | { readonly do: 'hold-notifications' }
  /** The newest one leaves the screen and goes where the system keeps what was missed. */
  | { readonly do: 'time-out-notification' }
  | { readonly do: 'lock-screen' }
  /** The system asks for a menu at the pointer. */
  | { readonly do: 'context-menu'; readonly clicked: object }
  /** A Mac hands over a link or a file. */
  | { readonly do: 'open-url'; readonly url: string }
  | { readonly do: 'open-file'; readonly path: string }
  | { readonly do: 'crash-page' }
  /** Something in the app throws where nobody catches it. */
  | { readonly do: 'throw'; readonly message: string }
  | { readonly do: 'close-window' }
  | { readonly do: 'blur-window' }
  | { readonly do: 'minimize-window' }
  | { readonly do: 'maximize-window' }
  /** The person moves the window, or drags its edges. */
  | { readonly do: 'move-window'; readonly bounds: Bounds }
  /** The person signs out, or shuts the computer down: Windows ends the app as soon as it has heard of it. */
  | { readonly do: 'end-session' }

type Handler = (order: DoubleOrder) => unknown
const handlers = new Map<string, Handler>()

/** Lets the module that models a thing carry out orders about it. */
export function onOrder<D extends DoubleOrder['do']>(name: D, handle: (order: Extract<DoubleOrder, { do: D }>) => unknown): void {
  handlers.set(name, handle as Handler)
}

export function report(message: DoubleReport): void {
  process.send?.(message)
}

/** Notes what was asked of the system, for the test to assert. */
export function record(name: string, ...args: unknown[]): void {
  report({ is: 'call', name, args: JSON.parse(JSON.stringify(args)) as unknown[] })
}

process.on('message', async (message: { id: number; order: DoubleOrder }) => {
  const value = (await handlers.get(message.order.do)?.(message.order)) ?? null
  report({ is: 'answer', to: message.id, value })
})
// The channel to the test must not keep the app alive, nor its loss end it in the middle of something.
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
