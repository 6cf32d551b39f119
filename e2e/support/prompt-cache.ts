type Members = Readonly<Record<string, unknown>>

/** The parts of a request to the Messages API that its cache uses. */
interface CachedRequest {
  readonly tools?: readonly Members[]
  readonly system?: readonly Members[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Members[] }[]
}

/** Tokens of one request by what they cost; `price` is in tokens of plain input. */
export interface Bill {
  readonly plain: number
  readonly written: number
  readonly read: number
  readonly price: number
}

/** Documented at platform.claude.com, “Prompt caching”, for entries that live five minutes. */
const WRITE = 1.25
const READ = 0.1
const LEAST = 1024
const LOOKBACK = 20
const BREAKPOINTS = 4
/** Blocks that carry no breakpoint of their own. */
const UNMARKABLE = new Set(['thinking', 'redacted_thinking'])

/**
 * Anthropic's prompt cache as it is documented: tools, system and messages make one sequence of blocks; what stands before a
 * breakpoint is kept, from 1,024 tokens on; each breakpoint finds what was kept at one of the twenty blocks that end with it.
 */
export class PromptCache {
  readonly #entries = new Set<string>()
  /** Every sequence that was sent, to compute the ideal. */
  readonly #seen: (readonly Block[])[] = []

  /** The reason why the API refuses a request's breakpoints. */
  refusal(request: CachedRequest): string | undefined {
    const marked = blocksOf(request).filter(({ marked }) => marked)
    if (marked.length > BREAKPOINTS) return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`
    if (marked.some(({ markable }) => !markable)) return 'cache_control cannot be set on thinking or empty text blocks'
    return undefined
  }

  bill(request: CachedRequest): Bill {
    const blocks = blocksOf(request)
    const marks = blocks.flatMap(({ marked }, at) => (marked ? [at] : []))
    const found = Math.max(-1, ...marks.map((mark) => this.#lookBack(blocks, mark)))
    const last = marks.at(-1) ?? -1
    for (const at of marks) if (tokensTo(blocks, at) >= LEAST) this.#entries.add(keyOf(blocks, at))
    const kept = tokensTo(blocks, last) >= LEAST ? last : found
    return billOf(blocks, found, Math.max(kept, found))
  }

  /** The cost if every earlier prefix were read and all else written. */
  ideal(request: CachedRequest): Bill {
    const blocks = blocksOf(request)
    const common = Math.max(-1, ...this.#seen.map((before) => commonBlocks(before, blocks) - 1))
    this.#seen.push(blocks)
    const found = tokensTo(blocks, common) >= LEAST ? common : -1
    return billOf(blocks, found, tokensTo(blocks, blocks.length - 1) >= LEAST ? blocks.length - 1 : found)
  }

  #lookBack(blocks: readonly Block[], mark: number): number {
    for (let at = mark; at >= 0 && at > mark - LOOKBACK; at--) if (this.#entries.has(keyOf(blocks, at))) return at
    return -1
  }
}

/** The cost of a turn divided by its cost with ideal breakpoints, input only. */
export function costOverIdeal(requests: readonly Record<string, unknown>[]): { cost: number; ideal: number; ratio: number } {
  const cache = new PromptCache()
  let cost = 0
  let ideal = 0
  for (const body of requests) {
    const request = body as unknown as CachedRequest
    const refusal = cache.refusal(request)
    if (refusal) throw new Error(refusal)
    cost += cache.bill(request).price
    ideal += cache.ideal(request).price
  }
  return { cost, ideal, ratio: cost / ideal }
}

interface Block {
  readonly text: string
  readonly tokens: number
  readonly marked: boolean
  readonly markable: boolean
}

function blocksOf({ tools = [], system = [], messages }: CachedRequest): readonly Block[] {
  return [
    ...tools.map((tool) => blockOf('tool', tool)),
    ...system.map((block) => blockOf('system', block)),
    ...messages.flatMap(({ role, content }) => content.map((block) => blockOf(role, block))),
  ]
}

function blockOf(place: string, { cache_control, ...block }: Members): Block {
  const text = `${place} ${JSON.stringify(block)}`
  const empty = block.type === 'text' && block.text === ''
  const markable = !empty && !UNMARKABLE.has(String(block.type))
  return { text, tokens: Math.ceil(text.length / 4), marked: cache_control !== undefined, markable }
}

function billOf(blocks: readonly Block[], found: number, kept: number): Bill {
  const read = tokensTo(blocks, found)
  const written = tokensTo(blocks, kept) - read
  const plain = tokensTo(blocks, blocks.length - 1) - read - written
  return { plain, written, read, price: plain + written * WRITE + read * READ }
}

const tokensTo = (blocks: readonly Block[], at: number) => blocks.slice(0, at + 1).reduce((sum, { tokens }) => sum + tokens, 0)

const keyOf = (blocks: readonly Block[], at: number) =>
  blocks
    .slice(0, at + 1)
    .map(({ text }) => text)
    .join('\n')

function commonBlocks(a: readonly Block[], b: readonly Block[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at]?.text === b[at]?.text) at++
  return at
}
