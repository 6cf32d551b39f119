import type Anthropic from '@anthropic-ai/sdk'

/** A message of this adapter, which always has blocks. */
export interface BlockMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Anthropic.ContentBlockParam[]
}

const EPHEMERAL = { type: 'ephemeral' } as const

/**
 * Marks where the API caches the conversation: three marks, and one on the system prompt make the four that it allows. The next
 * request reads up to the end of this one. The end of the previous request is marked again, since the API looks back only twenty
 * blocks and one round of calls can add more. The person's last message before it serves the first request of a turn, for which
 * some models drop older thinking.
 */
export function withBreakpoints(messages: readonly BlockMessage[]): BlockMessage[] {
  const asked = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  const before = asked.slice(0, -1)
  const spoken = before.findLast((at) => messages[at]?.content.some(({ type }) => type !== 'tool_result'))
  const marks = new Set([asked.at(-1), before.at(-1), spoken])
  return messages.map((message, at) => (marks.has(at) ? marked(message) : message))
}

/** User messages and tool results always end in a block that can be marked. */
function marked({ role, content }: BlockMessage): BlockMessage {
  const last = content.at(-1)
  const end = last && ({ ...last, cache_control: EPHEMERAL } as Anthropic.ContentBlockParam)
  return { role, content: end ? [...content.slice(0, -1), end] : [] }
}

/** The mark on the system prompt also caches the tools, which come before it. */
export function markedSystem(text: string): Anthropic.TextBlockParam[] {
  return [{ type: 'text', text, cache_control: EPHEMERAL }]
}
