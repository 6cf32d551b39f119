import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { type Clock, within } from '../../src-shared/base/clock.ts'
import { type TrafficTap, type Transport, TransportError, type TransportSink } from '../protocol/peer/transport.ts'
import type { JsonRpcMessage, RequestId } from '../protocol/shapes/json-rpc.ts'
import { type ProcessRecord, processStartTime, ServerProcess, type StopTimes, type TakeSocket } from './child-process.ts'
import { type ReadTurns, readInTurns } from './fair-turns.ts'
import { JsonInTurns, LARGE_BYTES, type ReceivedText, SmallText } from './json-in-turns.ts'
import { type Line, LineReader } from './line-reader.ts'
import { OversizeWatch, oversizedRepeatedly, skippedError } from './oversized-reply.ts'
import { Remarks } from './remarks.ts'
import { StderrLines } from './stderr-lines.ts'

export interface StdioOptions {
  /** The resolved absolute path. */
  readonly command: string
  readonly args: readonly string[]
  /** The complete environment of the child. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly limits: { readonly maxMessageBytes: number }
  readonly clock: Clock
  readonly stop?: StopTimes
  readonly takeSocket?: TakeSocket
  /** Gets lines of at most 4,096 characters; of a flood, lines are left out. */
  readonly onStderr: (line: string) => void
  readonly onTraffic?: TrafficTap
  /** Awaited before anything is sent, so that the next host can end the process if this one crashes. Does not reject. */
  readonly onSpawn?: (process: ProcessRecord) => Promise<void> | void
}

/** Milliseconds that pipes may stay open and idle after the process exits, when another process inherited them. */
const DRAIN_MS = 500
const DRAIN_ROUNDS = 20

/** One JSON message a line over the pipes of a child process, which is spawned by `start` (TRAN-02, TRAN-03). */
export function startStdio(options: StdioOptions): Transport {
  return new StdioTransport(options)
}

class StdioTransport implements Transport {
  readonly kind = 'stdio'
  readonly #options: StdioOptions
  readonly #reader: LineReader
  /** A complete large message that is being parsed; later ones wait. */
  #large: JsonInTurns | undefined
  readonly #stderr: StderrLines
  readonly #oversized: OversizeWatch
  #sink: TransportSink | undefined
  #remarks: Remarks | undefined
  #process: ServerProcess | undefined
  #starting: Promise<ServerProcess> | undefined
  #closing: Promise<void> | undefined
  #over = false
  #turns: ReadTurns | undefined
  #received = 0
  #unsent = ''
  #unsentBytes = 0
  /** The promise that the senders of `#unsent` wait for. */
  #outgoing: PromiseWithResolvers<void> | undefined

  constructor(options: StdioOptions) {
    this.#options = options
    this.#reader = new LineReader(options.limits.maxMessageBytes, 'newline', LARGE_BYTES)
    this.#oversized = new OversizeWatch(options.clock)
    this.#stderr = new StderrLines(options.clock, (line) => {
      options.onStderr(line)
      options.onTraffic?.({ direction: 'stderr', text: line })
    })
  }

  async start(sink: TransportSink): Promise<void> {
    if (this.#sink) throw new TransportError('closed', 'This connection was already started.')
    this.#sink = sink
    this.#remarks = new Remarks(this.#options.clock, (text) => sink.remark(text))
    const { command, args, env, cwd, clock, stop = { eofMs: 2000, termMs: 2000 }, takeSocket } = this.#options
    if (this.#closing) throw this.#notRunning()
    this.#starting = ServerProcess.spawn({ command, args, env, cwd, clock, stop, ...(takeSocket && { takeSocket }) })
    try {
      this.#process = await this.#starting
    } catch (error) {
      this.#finish(error as TransportError) // `spawn` rejects with nothing else
      throw error
    }
    if (this.#closing) throw this.#notRunning()
    this.#listen(this.#process)
    await this.#tell(this.#process.pid)
    if (this.#closing) throw this.#notRunning()
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (!this.#process || this.#closing || this.#over) return Promise.reject(this.#notRunning())
    const line = JSON.stringify(message)
    if (this.#unsentBytes + this.#process.stdin.writableLength > this.#options.limits.maxMessageBytes) {
      const error = new TransportError('refused', 'The server is not reading its input; earlier messages are still waiting.')
      return Promise.reject(error)
    }
    this.#options.onTraffic?.({ direction: 'sent', text: line })
    // Messages of one tick are written and awaited together.
    if (!this.#outgoing) {
      this.#outgoing = Promise.withResolvers()
      process.nextTick(() => this.#flush())
    }
    this.#unsent += `${line}\n`
    this.#unsentBytes += line.length
    return this.#outgoing.promise
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const running = this.#process ?? (await this.#starting?.catch(() => undefined)) // `start` reports it.
    if (running) {
      this.#flush()
      // Output is drained: a child must not block on a full pipe.
      this.#turns?.stop()
      running.stdout.resume()
      if (!this.#process) running.stderr.resume()
      await running.stop()
      destroyPipes(running)
    }
    this.#finish(undefined)
  }

  #listen(running: ServerProcess): void {
    running.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    this.#turns = readInTurns(running.stdout, {
      take: (chunk) => {
        this.#received += chunk.length
        this.#reader.push(chunk)
      },
      step: () => {
        if (this.#closing || this.#over) return false
        return this.#large ? this.#parseMore(this.#large) : this.#begin(this.#reader.next())
      },
      end: () => void this.#end(running),
    })
    void running.exited.then(() => {
      void running.stop() // Its descendants must not outlive it.
      this.#awaitDrain(running, DRAIN_ROUNDS)
    })
  }

  async #tell(pid: number): Promise<void> {
    const { onSpawn } = this.#options
    const startedAt = onSpawn && (await processStartTime(pid))
    if (startedAt !== undefined) await onSpawn?.({ pid, startedAt })
  }

  /** After the exit, waits for inherited pipes to close as long as data still comes. */
  #awaitDrain(running: ServerProcess, rounds: number): void {
    if (running.stdout.closed) return
    const before = this.#received
    const cancel = this.#options.clock.after(DRAIN_MS, () => {
      running.stdout.off('close', cancel)
      if (rounds > 0 && (this.#turns?.busy || this.#received !== before)) this.#awaitDrain(running, rounds - 1)
      else destroyPipes(running)
    })
    running.stdout.once('close', cancel)
  }

  #begin(line: Line | undefined): boolean | 'rest' {
    if (!line) return false
    if ('pieces' in line) {
      this.#large = new JsonInTurns(line.pieces)
      return 'rest'
    }
    if ('tooLarge' in line) this.#oversize(line.id)
    else this.#handle(new SmallText(line.text), line.damaged)
    return true
  }

  #parseMore(large: JsonInTurns): 'rest' {
    if (large.step()) {
      this.#large = undefined
      this.#handle(large, large.damaged)
    }
    return 'rest'
  }

  #handle(received: ReceivedText, damaged: boolean): void {
    const { text, bytes } = received
    if (damaged) this.#remarks?.add('A line on stdout is not valid UTF-8; its invalid bytes were replaced.')
    let value: unknown
    try {
      value = received.json()
    } catch {
      if (text.trim() !== '') this.#remarks?.add(`Not JSON on stdout: ${text.slice(0, 200)}`)
      return
    }
    this.#options.onTraffic?.({ direction: 'received', text, bytes })
    try {
      this.#sink?.message(value)
    } catch (error) {
      // A bug of ours with one message must not end the connection, or the host.
      this.#remarks?.add(`A message could not be handled: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #oversize(id: RequestId | undefined): void {
    const { maxMessageBytes } = this.#options.limits
    this.#sink?.lost(skippedError(maxMessageBytes), id)
    if (this.#oversized.exceeds()) this.#giveUp(oversizedRepeatedly(maxMessageBytes, this.#stderr.tail))
  }

  #giveUp(error: TransportError): void {
    this.#finish(error)
    void this.close()
  }

  /** Ends the connection when stdout has ended and is handled, even if the process still runs. */
  async #end(running: ServerProcess): Promise<void> {
    if (this.#closing || this.#over) return
    this.#begin(this.#reader.end())
    // A large message without a newline at its end.
    while (this.#large && !this.#closing) {
      await setImmediate()
      if (!this.#closing) this.#parseMore(this.#large)
    }
    // The exit usually follows at once; a process that stays is stopped.
    const { clock } = this.#options
    if (!running.exit) await within(clock, DRAIN_MS, running.exited)
    if (this.#closing || this.#over) return
    const { exit } = running
    // The last lines of stderr are often still in the pipe.
    if (exit && !running.stderr.closed)
      await within(
        clock,
        DRAIN_MS,
        once(running.stderr, 'close').catch(() => {}), // An error ends stderr, too.
      )
    const stderr = this.#stderr.tail
    await running.stop()
    if (this.#closing) return
    this.#finish(describeEnd(exit, stderr))
  }

  #flush(): void {
    const outgoing = this.#outgoing
    if (!outgoing || !this.#process) return
    const text = this.#unsent
    this.#unsent = ''
    this.#unsentBytes = 0
    this.#outgoing = undefined
    this.#process.stdin.write(text, (error) => (error ? outgoing.reject(this.#notRunning(error)) : outgoing.resolve()))
  }

  #notRunning(cause?: NodeJS.ErrnoException | Error): TransportError {
    const errno = cause && 'code' in cause && typeof cause.code === 'string' ? { errno: cause.code } : {}
    return new TransportError('closed', 'The server is not running: the message was not sent.', errno, { cause })
  }

  #finish(error: TransportError | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#stderr.end()
    this.#sink?.closed(error)
  }
}

function destroyPipes(running: ServerProcess): void {
  running.stdin.destroy()
  running.stdout.destroy()
  running.stderr.destroy()
}

/** A server may close stdout and exit with 0 (LIFE-36); any other end is a fault. */
function describeEnd(
  exit: { code: number | null; signal: string | null } | undefined,
  stderr: readonly string[],
): TransportError {
  if (!exit) {
    return new TransportError('closed', 'The server closed its output but kept running; it was stopped.', { stderr })
  }
  const details = { exitCode: exit.code, exitSignal: exit.signal, stderr }
  if (exit.code === 0) return new TransportError('closed', 'The server closed the connection and exited.', details)
  const how = exit.signal === null ? `with code ${exit.code}` : `by signal ${exit.signal}`
  const said = stderr.at(-1)?.trim()
  return new TransportError('exited', `The server exited ${how}${said ? `: ${said.slice(0, 300)}` : ''}.`, details)
}
