import { Emitter } from '../../src-shared/base/emitter.ts'

/** Keeps what is fired while nobody listens, up to a bound, and gives it to the first listener. */
export class BacklogEmitter<T> extends Emitter<T> {
  readonly #most: number
  #backlog: T[] = []

  constructor(most: number) {
    super()
    this.#most = most
  }

  override on(listen: (value: T) => void): () => void {
    const undo = super.on(listen)
    const backlog = this.#backlog
    this.#backlog = []
    for (const value of backlog) listen(value)
    return undo
  }

  override fire(value: T): void {
    if (this.size > 0) super.fire(value)
    else if (this.#backlog.length < this.#most) this.#backlog.push(value)
  }
}
