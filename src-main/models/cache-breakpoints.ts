import type Anthropic from '@anthropic-ai/sdk'

/** A message as this adapter makes it: always of blocks. */
export interface BlockMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Anthropic.ContentBlockParam[]
}

const EPHEMERAL = { type: 'ephemeral' } as const

/**
 * Marks up to where the API is to keep the conversation; with the one on the system prompt at most four marks, as many as it takes.
 * The end of this request is what the next one reads. The end of the request before is marked again, because the API looks back
 * only twenty blocks from a mark and one round of calls can add more. The last words of a person before that serve the first
 * request of a turn: some models drop older thoughts then, so that only what stood before those is still the same.
 */
export function withBreakpoints(messages: readonly BlockMessage[]): BlockMessage[] {
  const asked = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  const before = asked.slice(0, -1)
  const spoken = before.findLast((at) => messages[at]?.content.some(({ type }) => type !== 'tool_result'))
  const marks = new Set([asked.at(-1), before.at(-1), spoken])
  return messages.map((message, at) => (marks.has(at) ? marked(message) : message))
}

/** A person's words and results of tools always end in a block that can be marked: text that is not empty, an image, a result. */
function marked({ role, content }: BlockMessage): BlockMessage {
  const last = content.at(-1)
  const end = last && ({ ...last, cache_control: EPHEMERAL } as Anthropic.ContentBlockParam)
  return { role, content: end ? [...content.slice(0, -1), end] : [] }
}

/** The system prompt; its mark keeps the tools, too, which the API reads before it. */
export function markedSystem(text: string): Anthropic.TextBlockParam[] {
  return [{ type: 'text', text, cache_control: EPHEMERAL }]
}
