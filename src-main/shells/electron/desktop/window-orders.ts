import type { HostChannel, WindowOrder } from '../../../../src-shared/contract/channel.ts'

/** The oldest orders beyond it are dropped. */
const MAX_WAITING = 20

/** Orders for the page, kept until it is ready: a link may arrive before the first window. */
export class WindowOrders {
  #channel: HostChannel | undefined
  #waiting: WindowOrder[] = []

  give(order: WindowOrder): void {
    if (this.#channel) this.#channel.send({ t: 'order', order })
    else this.#waiting = [...this.#waiting, order].slice(-MAX_WAITING)
  }

  /** Wraps the channel of a new document, which gets orders after its welcome. */
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

  /** Keeps orders for the next document. */
  end(): void {
    this.#channel = undefined
  }
}
