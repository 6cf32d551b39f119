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
/** Milliseconds in which a click was meant for something else. */
const CAREFUL = 400
/** Kept so that a click on one still finds somebody; older ones are only read. */
const MAX_KEPT = 20

interface NotifierOptions {
  readonly clock: Clock
  /** Undefined before it has started: its window will show by itself what there is to see. */
  readonly host: () => Host | undefined
  readonly inFront: () => boolean
  /** Opens what it was about. */
  readonly open: (about: News['about']) => void
}

/** Notifications of the system, for a person whose window is in the background. */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #kept = new Map<Notification, InteractionId | undefined>()
  #told = false

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
    // Long after it was told, where the system holds it back.
    let shownAt = Number.POSITIVE_INFINITY
    notification.on('show', () => {
      shownAt = this.#options.clock.now()
    })
    notification.on('click', () => open(about))
    // On Windows it then lies in the action center, its buttons with it.
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

  /** Takes back what is said of a question that is closed. */
  withdraw(id: InteractionId): void {
    for (const [notification, about] of this.#kept) {
      if (about !== id) continue
      this.#kept.delete(notification)
      notification.close()
    }
  }

  /** Once: a Mac shows none of an app that nobody signed. */
  #failed({ state }: Host, said: string): void {
    if (this.#told) return
    this.#told = true
    const todo = 'Parley shows in its window what needs you.'
    const problem = { code: 'notifications-failed', what: 'This system shows no notifications of Parley.', said, todo }
    state.notice('warning', problem, this.#options.clock.now())
  }

  /** It is the shown question, it was visible long enough to be read, and the person who clicks is signed in to the computer. */
  #mayAllow({ id, question }: Interaction, shownAt: number): boolean {
    const { clock, host } = this.#options
    const open = host()?.state.snapshot.interactions.find((one) => one.id === id)
    return open?.question === question && clock.now() - shownAt >= CAREFUL && powerMonitor.getSystemIdleState(60) !== 'locked'
  }

  #keep(notification: Notification, id: InteractionId | undefined): void {
    this.#kept.set(notification, id)
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest)
  }
}

const CAN_FAIL = process.platform !== 'linux'
const HAS_BUTTONS = process.platform === 'darwin' || process.platform === 'win32'

/** Notifications of Linux desktops read markup. */
function inert(text: string): string {
  return process.platform === 'linux' ? text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›') : text
}
