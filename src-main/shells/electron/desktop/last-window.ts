import type { HostSnapshot } from '../../../../src-shared/contract/events.ts'
import type { News } from '../../../host/core/platform.ts'

interface LastWindowOptions {
  readonly host: {
    readonly state: { readonly snapshot: HostSnapshot; onEvent(listen: () => void): () => void }
  }
  readonly notifier: { tell(news: News): void }
  /** On a Mac apps stay open without a window. */
  readonly mac: boolean
  readonly isOpen: () => boolean
  readonly quit: () => void
}

/** Quits with the last window, unless the person has set otherwise, once running replies are done. */
export class LastWindow {
  readonly #options: LastWindowOptions
  #leaving = false

  constructor(options: LastWindowOptions) {
    this.#options = options
    options.host.state.onEvent(() => this.#quitWhenDone())
  }

  closed(): void {
    const { host, mac, notifier, quit } = this.#options
    const { settings } = host.state.snapshot
    if (mac || settings.closeToTray) return
    const running = runningTurns(host.state.snapshot)
    if (running === 0) {
      quit()
      return
    }
    this.#leaving = true
    notifier.tell({
      title: 'Parley is still running',
      body: `It quits when ${running === 1 ? 'its reply is' : 'its replies are'} done.`,
    })
  }

  #quitWhenDone(): void {
    if (!this.#leaving) return
    const { host, isOpen, quit } = this.#options
    const { settings } = host.state.snapshot
    if (isOpen() || settings.closeToTray) this.#leaving = false
    else if (runningTurns(host.state.snapshot) === 0) quit()
  }
}

function runningTurns({ conversations }: HostSnapshot): number {
  return conversations.filter(({ turn }) => turn === 'running').length
}
