import { EventEmitter } from 'node:events'

/** An emitter that takes listeners only for events which the double really emits. */
export class ModelledEvents extends EventEmitter {
  readonly #name: string
  readonly #events: readonly string[]

  constructor(name: string, events: readonly string[]) {
    super()
    this.#name = name
    this.#events = events
  }

  override on(event: string, listen: (...args: never[]) => void): this {
    this.#check(event)
    return super.on(event, listen as (...args: unknown[]) => void)
  }

  override once(event: string, listen: (...args: never[]) => void): this {
    this.#check(event)
    return super.once(event, listen as (...args: unknown[]) => void)
  }

  #check(event: string): void {
    if (!this.#events.includes(event)) throw new Error(`not modelled: ${this.#name} event ${event}`)
  }
}

export interface PreventableEvent {
  readonly defaultPrevented: boolean
  preventDefault(): void
}

/** An event as Electron's main process gives it. */
export function preventable<T extends object>(details: T): T & PreventableEvent {
  let prevented = false
  const preventDefault = () => {
    prevented = true
  }
  // The getter is what the types promise; defineProperty cannot tell TypeScript so.
  return Object.defineProperty({ ...details, preventDefault }, 'defaultPrevented', { get: () => prevented }) as unknown as T &
    PreventableEvent
}
