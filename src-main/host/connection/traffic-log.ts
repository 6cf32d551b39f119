import { defined } from '../../../src-shared/base/defined.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'
import type { TrafficTap } from '../../protocol/peer/transport.ts'
import type { Redact } from '../core/redact.ts'
import { withoutRounds } from './without-rounds.ts'

/** Characters kept of an entry. */
const ENTRY_LIMIT = 16 * 1024
const MAX_ENTRIES = 2000
const MAX_CHARACTERS = 4 * 1024 * 1024
/** Characters that one reading returns. */
const PAGE_CHARACTERS = 512 * 1024
const PAGE_ENTRIES = 500

/** The latest messages to and from one server, redacted, and bounded in number and size. */
export class TrafficLog {
  readonly #now: () => number
  readonly #entries: TrafficEntry[] = []
  #characters = 0
  #n = 0
  #redact: Redact = redactUnknown
  #longestSecret = 0

  constructor(now: () => number) {
    this.#now = now
  }

  protect(secrets: { readonly redact: Redact; readonly longest: number }): void {
    this.#redact = secrets.redact
    this.#longestSecret = secrets.longest
  }

  readonly tap: TrafficTap = ({ direction, text, bytes = Buffer.byteLength(text) }) => {
    this.#n += 1
    const kept = { n: this.#n, at: this.#now(), direction, text: this.#bounded(text), bytes }
    this.#entries.push(kept)
    this.#characters += kept.text.length
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#entries.shift()?.text.length ?? 0
    }
  }

  /** Cuts without leaving half a secret at the end, which no pattern would find. */
  #bounded(text: string): string {
    if (text.length <= ENTRY_LIMIT) return this.#redact(withoutRounds(text))
    const clean = this.#redact(withoutRounds(text.slice(0, ENTRY_LIMIT + this.#longestSecret)))
    const kept = clean.slice(0, Math.max(0, Math.min(ENTRY_LIMIT, clean.length - this.#longestSecret)))
    // V8 keeps the whole text in memory while a slice of it lives, so the slice is copied.
    return `${Buffer.from(kept).toString()}…`
  }

  /** The number of the last entry. */
  get position(): number {
    return this.#n
  }

  /** Entries after number `after`, oldest first; `dropped` counts those that are no longer kept. */
  read(after = 0): { entries: readonly TrafficEntry[]; dropped: number } {
    const first = this.#entries.findIndex((entry) => entry.n > after)
    if (first < 0) return { entries: [], dropped: 0 }
    const entries: TrafficEntry[] = []
    let characters = 0
    for (const entry of this.#entries.slice(first, first + PAGE_ENTRIES)) {
      characters += entry.text.length
      if (entries.length > 0 && characters > PAGE_CHARACTERS) break
      entries.push({ ...entry, ...envelope(entry) })
    }
    return { entries, dropped: Math.max(0, (entries[0]?.n ?? 0) - after - 1) }
  }
}

/** Method, id and failure of a JSON-RPC message; for one that was cut, as far as its beginning shows. */
function envelope({ direction, text }: TrafficEntry): Pick<TrafficEntry, 'method' | 'id' | 'failed'> {
  if (direction !== 'sent' && direction !== 'received') return {}
  try {
    const message: unknown = parseJson(text)
    if (!isObject(message)) return {}
    return {
      ...(typeof message.method === 'string' && { method: message.method }),
      ...((typeof message.id === 'string' || typeof message.id === 'number') && { id: String(message.id) }),
      ...(isObject(message.error) && { failed: true }),
    }
  } catch {
    const head = text.slice(0, 256)
    const method = /"method"\s*:\s*"([^"\\]{1,100})"/.exec(head)?.[1]
    const id = /"id"\s*:\s*(?:"([^"\\]{1,100})"|(\d{1,16}))/.exec(head)
    const known = id?.[1] ?? id?.[2]
    return defined({ method, id: known })
  }
}
