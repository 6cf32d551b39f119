import type { HostChannel, WindowOrder } from '../../../../src-shared/contract/channel.ts'

/** More than a person can have meant. The oldest give way. */
const MAX_WAITING = 20

/** Orders for the page, kept until there is one that has been welcomed: a link may arrive before the first window. */
export class WindowOrders {
  #channel: HostChannel | undefined
  #waiting: WindowOrder[] = []

  give(order: WindowOrder): void {
    if (this.#channel) this.#channel.send({ t: 'order', order })
    else this.#waiting = [...this.#waiting, order].slice(-MAX_WAITING)
  }

  /** The channel of a new document, by which orders travel once it was welcomed. */
  over(channel: HostChannel): HostChannel {
    this.#channel = undefined
    return {
      ...channel,
      send: (frame) => {
        channel.send(frame)
        if (frame.t !== 'welcome') return
        this.#channel = channel
        const waiting = this.#waiting
        this.#waiting = []
        for (const order of waiting) this.give(order)
      },
    }
  }

  /** The document is gone: what comes now is for the next one. */
  end(): void {
    this.#channel = undefined
  }
}
