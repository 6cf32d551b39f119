import { Notification, powerMonitor } from 'electron'
import type { Clock } from '../../../../src-shared/base/clock.ts'
import type { InteractionId } from '../../../../src-shared/contract/ids.ts'
import type { Interaction } from '../../../../src-shared/contract/interactions.ts'
import type { News } from '../../../host/core/platform.ts'
import type { Host } from '../../../host/host.ts'
import { plainText } from './plain-text.ts'
import { quickAnswer } from './quick-answer.ts'

/** The order of the buttons, as in the native boxes. */
const DENY = 0
const ALLOW = 1
const LABELS = ['Deny', 'Allow once']
/** Milliseconds after showing in which a click may be meant for something else. */
const MIN_VISIBLE = 400
/** Notifications that are kept so that a click works; older ones can only be read. */
const MAX_KEPT = 20

interface NotifierOptions {
  readonly clock: Clock
  /** Undefined before the host has started; its window will show everything. */
  readonly host: () => Host | undefined
  readonly inFront: () => boolean
  /** Opens the subject of a notification. */
  readonly open: (about: News['about']) => void
}

/** Notifications of the system, for a person whose window is in the background. */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #kept = new Map<Notification, InteractionId | undefined>()
  #reported = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  tell({ title, body, about }: News): void {
    const { host, inFront, open } = this.#options
    const running = host()
    if (!running?.state.snapshot.settings.notifications || inFront() || !Notification.isSupported()) return
    const question = about?.is === 'question' ? about.interaction : undefined
    const quick = question && HAS_BUTTONS ? quickAnswer(question) : undefined
    const notification = quick
      ? new Notification({ title: quick.title, body: quick.body, actions: LABELS.map((text) => ({ type: 'button', text })) })
      : new Notification({ title: inert(plainText(title, 80)), body: inert(plainText(body, 200)) })
    // The system may show it much later.
    let shownAt = Number.POSITIVE_INFINITY
    notification.on('show', () => {
      shownAt = this.#options.clock.now()
    })
    notification.on('click', () => open(about))
    // On Windows a timed-out one stays in the action center with its buttons.
    notification.on('close', ({ reason }) => {
      if (reason !== 'timedOut') this.#kept.delete(notification)
    })
    if (CAN_FAIL) notification.on('failed', (_event, error) => this.#failed(running, error))
    if (question && quick)
      notification.on('action', ({ actionIndex }) => {
        // Denying is never delayed.
        const counts = actionIndex === ALLOW ? this.#mayAllow(question, shownAt) : actionIndex === DENY
        if (!counts || !running.interactions.answer(actionIndex === ALLOW ? quick.allow : quick.deny)) open(about)
      })
    this.#keep(notification, question?.id)
    notification.show()
  }

  /** Closes the notification of a question. */
  withdraw(id: InteractionId): void {
    for (const [notification, about] of this.#kept) {
      if (about !== id) continue
      this.#kept.delete(notification)
      notification.close()
    }
  }

  /** Reported once: a Mac shows no notifications of an unsigned app. */
  #failed({ state }: Host, said: string): void {
    if (this.#reported) return
    this.#reported = true
    const todo = 'Questions still appear in Parley’s window.'
    const problem = { code: 'notifications-failed', what: 'This system does not show Parley’s notifications.', said, todo }
    state.notice('warning', problem, this.#options.clock.now())
  }

  /** True if the question is unchanged, was visible long enough, and the screen is not locked. */
  #mayAllow({ id, question }: Interaction, shownAt: number): boolean {
    const { clock, host } = this.#options
    const open = host()?.state.snapshot.interactions.find((one) => one.id === id)
    return open?.question === question && clock.now() - shownAt >= MIN_VISIBLE && powerMonitor.getSystemIdleState(60) !== 'locked'
  }

  #keep(notification: Notification, id: InteractionId | undefined): void {
    this.#kept.set(notification, id)
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest)
  }
}

const CAN_FAIL = process.platform !== 'linux'
const HAS_BUTTONS = process.platform === 'darwin' || process.platform === 'win32'

/** Linux desktops interpret markup in notifications. */
function inert(text: string): string {
  return process.platform === 'linux' ? text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›') : text
}
