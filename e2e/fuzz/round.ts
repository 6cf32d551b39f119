import type { Client } from '../../src-main/client/client.ts'
import { connectClient } from '../../src-main/client/connect-client.ts'
import type { ClientFeatures } from '../../src-main/protocol/peer/client-features.ts'
import { ErrorCode, ProtocolError } from '../../src-main/protocol/shapes/json-rpc.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { checkValue } from '../support/check-value.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { polluted } from './hostile-json.ts'
import { Ledger } from './ledger.ts'
import { Random } from './random.ts'
import { answerTo, nextMessage } from './traffic.ts'
import { WIRES, type Wire, type WireKind } from './wires.ts'

const LIMITS = {
  ...DEFAULT_LIMITS,
  maxMessageBytes: 16_384,
  maxPages: 10,
  maxItems: 200,
  maxServerRequests: 8,
  maxPendingRequests: 40,
}
const STEPS = 60
/** Real milliseconds within which everything must have ended; schemas are hashed and compiled beside the loop. */
const PATIENCE = 10_000

export interface Round {
  readonly kind: WireKind
  /** Messages that the server said. */
  readonly said: number
  /** Messages that reached the peer. */
  readonly received: number
  /** Requests of the client that were answered, and well enough to count. */
  readonly answered: number
  /** Which invariants broke, in words; empty when all held. */
  readonly objections: readonly string[]
}

/** The seed of one round of a run. */
export function roundSeed(seed: number, round: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(round, 0x85ebca6b)) >>> 0
}

/**
 * One connection from handshake to end against a server out of its mind. The seed decides everything that is said; how much of it
 * is read in one turn of the loop is a matter of real time, so only a `direct` round is the same to the last message.
 */
export async function playRound(seed: number): Promise<Round> {
  const random = new Random(seed)
  const clock = new ManualClock(1_000_000)
  const kind = random.pick(Object.keys(WIRES) as WireKind[])
  let ledger: Ledger | undefined
  const wire: Wire = WIRES[kind]({
    random,
    clock,
    maxMessageBytes: LIMITS.maxMessageBytes,
    answer: (body) => {
      const asked = ledger?.asked.at(-1)
      // The very first answer is mostly a good one, or nothing after it would ever be tried.
      if (!asked || (!body.includes('"initialize"') && random.chance(0.3))) return undefined
      return answerTo(asked, random.chance(0.95) && asked.method === 'initialize' ? new Calm() : random)
    },
  })
  const watched = new Ledger(wire.transport)
  ledger = watched
  const round = new Playing(random, clock, wire, watched)
  await round.play(kind)
  if (polluted()) watched.objections.push('the prototype of every object was changed')
  const { said, answered } = round
  return { kind, said, received: watched.received, answered, objections: [...watched.objections] }
}

/** A generator for which nothing unlikely happens. */
class Calm extends Random {
  constructor() {
    super(1)
  }

  override chance(): boolean {
    return false
  }
}

class Playing {
  said = 0
  answered = 0
  readonly #random: Random
  readonly #clock: ManualClock
  readonly #wire: Wire
  readonly #ledger: Ledger
  readonly #calls = new Set<string>()
  readonly #cancels: AbortController[] = []
  #remarks = 0

  constructor(random: Random, clock: ManualClock, wire: Wire, ledger: Ledger) {
    this.#random = random
    this.#clock = clock
    this.#wire = wire
    this.#ledger = ledger
  }

  async play(kind: WireKind): Promise<void> {
    const random = this.#random
    const lifetime = new Lifetime('fuzz')
    let client: Client | undefined
    const connecting = connectClient({
      checkValue,
      open: () => this.#ledger,
      known: { era: 'legacy', by: 'choice' },
      features: this.#features(),
      clientInfo: { name: 'fuzz', version: '1' },
      lifetime,
      signal: lifetime.signal,
      clock: this.#clock,
      limits: LIMITS,
      handshakeTimeout: 5000,
      requestTimeout: 2000,
      maxRequestTime: 10_000,
      pingEvery: 20_000,
      draftProfile: random.chance(0.2),
      onRemark: () => this.#remarks++,
    }).then(
      (connected) => {
        client = connected
      },
      () => {}, // a handshake may fail; what counts is that it ends
    )
    if (kind === 'direct' || kind === 'lines') await this.#shakeHands()
    for (let step = 0; step < STEPS && !this.#ledger.closed; step++) {
      if (client && random.chance(0.4)) this.#act(client)
      for (let burst = random.below(6); burst >= 0; burst--) this.#say(nextMessage(this.#ledger, random))
      if (random.chance(0.3)) await turn()
      if (random.chance(0.1)) this.#clock.advance(random.pick([1, 60, 1000, 3000]))
      if (random.chance(0.002)) this.#wire.hangUp()
    }
    await turn()
    const ending = lifetime.end().catch((error: unknown) => this.#ledger.objections.push(`the end failed: ${String(error)}`))
    let over = false
    void Promise.all([ending, connecting]).then(() => {
      over = true
    })
    const end = performance.now() + PATIENCE
    while (performance.now() < end && !(over && this.#calls.size === 0)) {
      await turn()
      this.#clock.advance(500)
    }
    if (!over) this.#ledger.objections.push('the connection did not end')
    for (const call of this.#calls) this.#ledger.objections.push(`${call} was still pending after the end`)
    // A body that nobody wants may take some seconds to be let go of.
    for (let turns = 0; turns < 5; turns++) {
      await turn()
      this.#clock.advance(10_000)
    }
    if (this.#clock.pending > 0) this.#ledger.objections.push(`${this.#clock.pending} timers were left behind`)
  }

  async #shakeHands(): Promise<void> {
    await turn()
    const asked = this.#ledger.asked.at(-1)
    if (asked) this.#say(answerTo(asked, this.#random.chance(0.95) ? new Calm() : this.#random))
    await turn()
    await turn()
  }

  #say(text: string): void {
    if (this.#wire.say(text)) this.said++
  }

  #act(client: Client): void {
    const random = this.#random
    const cancel = new AbortController()
    this.#cancels.push(cancel)
    const { signal } = cancel
    const argument = { name: 'x', value: 'a' }
    const acts: readonly (() => void)[] = [
      () => this.#track('readResource', client.readResource('file:///a', { signal })),
      () => this.#track('getPrompt', client.getPrompt('p', { x: '1' }, { signal })),
      () => this.#track('catalog', client.catalog.load(signal)),
      () => this.#track('complete', client.complete({ type: 'ref/prompt', name: 'p' }, argument, undefined, { signal })),
      () => this.#track('subscribe', client.subscribe('file:///a', { signal })),
      () => {
        for (const each of this.#cancels.splice(0, random.below(4))) each.abort(new Error('enough'))
      },
    ]
    random.pick([...acts, ...Array.from({ length: 4 }, () => () => this.#callTool(client, signal))])()
  }

  #callTool(client: Client, signal: AbortSignal): void {
    let over = false
    const onProgress = () => {
      if (over) this.#ledger.objections.push('progress was reported after the call had ended')
    }
    const call = client.callTool('tool', { a: 1 }, { signal, ...(this.#random.chance(0.6) && { onProgress }) })
    const ended = () => {
      over = true
    }
    call.then(ended, ended)
    this.#track('callTool', call)
  }

  #track(name: string, call: Promise<unknown>): void {
    const label = `${name} ${this.#calls.size}-${this.said}`
    this.#calls.add(label)
    const answered = () => {
      this.#calls.delete(label)
      this.answered++
    }
    call.then(answered, (error: unknown) => {
      this.#calls.delete(label)
      if (!(error instanceof Error))
        this.#ledger.objections.push(`${name} failed with something that is no error: ${String(error)}`)
      // A fault of ours looks like this; what a server does has an error of its own kind.
      else if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
        this.#ledger.objections.push(`${name} failed with a fault of ours: ${error.stack}`)
      }
    })
  }

  /** Answers at once, later, wrongly or never. */
  #features(): ClientFeatures {
    const random = this.#random
    const sometimes = async <T>(value: T, signal: AbortSignal): Promise<T> => {
      if (random.chance(0.2)) throw new ProtocolError(ErrorCode.userRejected, 'no')
      if (random.chance(0.1)) throw new Error('a fault')
      if (random.chance(0.2))
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
      return value
    }
    return {
      roots: { list: ({ signal }) => sometimes({ roots: [{ uri: 'file:///a', name: 'a' }] }, signal) },
      sampling: {
        tools: random.chance(0.5),
        context: false,
        createMessage: (_params, { signal }) =>
          sometimes({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm', stopReason: 'endTurn' }, signal),
      },
      elicitation: {
        url: random.chance(0.5),
        elicit: (_params, { signal }) => sometimes({ action: 'accept', content: { name: 'x', age: 1 } }, signal),
      },
    }
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
