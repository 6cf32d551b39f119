import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../../src-shared/base/clock.ts'

const LINE_CHARACTERS = 4096
const LINES_PER_SECOND = 1000
const TAIL_LINES = 20

/** Splits the stderr of a process into bounded lines. Of a flood, lines are left out and counted. */
export class StderrLines {
  readonly #clock: Clock
  readonly #each: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  readonly #tail: string[] = []
  #rest = ''
  #windowStart = 0
  #inWindow = 0
  #leftOut = 0

  constructor(clock: Clock, each: (line: string) => void) {
    this.#clock = clock
    this.#each = each
  }

  /** The last lines, oldest first. */
  get tail(): readonly string[] {
    return this.#rest === '' ? [...this.#tail] : [...this.#tail, this.#rest].slice(-TAIL_LINES)
  }

  push(chunk: Buffer): void {
    const text = this.#rest + this.#decoder.write(chunk)
    let from = 0
    for (let newline = text.indexOf('\n'); newline !== -1; newline = text.indexOf('\n', from)) {
      this.#lines(text.slice(from, newline))
      from = newline + 1
    }
    let rest = text.slice(from)
    while (rest.length > LINE_CHARACTERS) {
      this.#line(rest.slice(0, LINE_CHARACTERS))
      rest = rest.slice(LINE_CHARACTERS)
    }
    this.#rest = rest
  }

  end(): void {
    const rest = this.#rest + this.#decoder.end()
    this.#rest = ''
    if (rest !== '') this.#lines(rest)
    this.#tellLeftOut()
  }

  #lines(line: string): void {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line
    for (let from = 0; from === 0 || from < whole.length; from += LINE_CHARACTERS) {
      this.#line(whole.slice(from, from + LINE_CHARACTERS))
    }
  }

  #line(line: string): void {
    const now = this.#clock.now()
    if (now - this.#windowStart >= 1000) {
      this.#tellLeftOut()
      this.#windowStart = now
      this.#inWindow = 0
    }
    this.#tail.push(line)
    if (this.#tail.length > TAIL_LINES) this.#tail.shift()
    this.#inWindow += 1
    if (this.#inWindow > LINES_PER_SECOND) this.#leftOut += 1
    else this.#each(line)
  }

  #tellLeftOut(): void {
    if (this.#leftOut > 0) this.#each(`… ${this.#leftOut} lines left out`)
    this.#leftOut = 0
  }
}
