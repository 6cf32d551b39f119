import type { Clock } from '../../../src-shared/base/clock.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Client } from '../../client/client.ts'

/** Milliseconds after which a remote server is tried again while it may run a task of ours. */
const TASK_RETRY = 60_000

interface ServerClientsParts {
  readonly clock: Clock
  readonly record: () => ServerRecord
  readonly removed: () => boolean
  readonly start: () => void
}

/** The clients of one server, one for each of its connections. Waiting for one starts an idle server. */
export class ServerClients {
  readonly #parts: ServerClientsParts
  #present: Client | undefined
  /** Fires when its client or its state changes. */
  readonly #moved = new Emitter<void>()

  constructor(parts: ServerClientsParts) {
    this.#parts = parts
  }

  get present(): Client | undefined {
    return this.#present
  }

  use(client: Client | undefined): void {
    this.#present = client
    this.wake()
  }

  /** Wakes the calls that wait for a client, since a server that stopped or failed gives none. */
  wake(): void {
    this.#moved.fire()
  }

  /** Throws HostError `unavailable` unless the server is ready. */
  get(): Client {
    if (this.#present) return this.#present
    throw this.#unavailable()
  }

  /** Waits for its client. Throws HostError `unavailable`. */
  async started(signal: AbortSignal): Promise<Client> {
    const client = await this.next(signal)
    if (client) return client
    throw this.#unavailable()
  }

  /** Waits for the client of the next connection. Throws HostError `unavailable` when the server does not come back. */
  async after(lost: Client, signal: AbortSignal): Promise<Client> {
    const client = await this.next(signal, lost)
    if (client) return client
    const { name } = this.#parts.record()
    throw new HostError('unavailable', `“${name}” disconnected while you were asked, and did not reconnect.`)
  }

  /** Waits for its client, or for the one after `lost`; undefined when it does not start by itself. Rejects when aborted. */
  async next(signal: AbortSignal, lost?: Client): Promise<Client | undefined> {
    while (!this.#present || this.#present === lost) {
      const { is } = this.#parts.record().state
      if (is === 'idle') this.#parts.start()
      if (this.#parts.removed() || is === 'stopped' || is === 'failed' || is === 'needs-sign-in') return undefined
      await this.#change(signal)
    }
    return this.#present
  }

  /**
   * Waits for its client, or for the one after `lost`, however long it is away: it may still run a task of ours (TASK-20). An address that
   * failed is tried again each minute. Rejects when aborted, and with HostError `unavailable` when it is removed.
   */
  async returning(signal: AbortSignal, lost?: Client): Promise<Client> {
    const { clock, record, removed, start } = this.#parts
    for (;;) {
      const client = await this.next(signal, lost)
      if (client) return client
      if (removed()) throw new HostError('unavailable', `“${record().name}” was removed.`)
      const cancel = clock.after(TASK_RETRY, () => {
        if (record().launch.type === 'remote' && record().state.is === 'failed') start()
      })
      await this.#change(signal).finally(cancel)
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    const moved = Promise.withResolvers<void>()
    const undo = this.#moved.on(moved.resolve)
    return orAborted(moved.promise, signal).finally(undo)
  }

  #unavailable(): HostError {
    const { name, state } = this.#parts.record()
    const failed = state.is === 'failed' && `“${name}” could not be started: ${state.problem.what}`
    const asked = state.is === 'needs-sign-in' && `“${name}” requires sign-in. Sign in on its page and try again.`
    return new HostError('unavailable', failed || asked || `“${name}” is not running. Start it and try again.`)
  }
}
