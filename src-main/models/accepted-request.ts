import { isObject } from '../../src-shared/base/json.ts'
import type { ModelMessage, ModelProvider, ModelRequest, ModelToolCall, OfferedTool } from './model-provider.ts'
import { type ServedKind, sentTool } from './sent-tool.ts'

/** OpenAI's limit, the only one that a provider documents. */
const MAX_TOOLS = 128
const MAX_NAME_LENGTH = 64

/**
 * Changes requests so that they hold nothing that the API is documented to refuse: one tool, or one old call, would end every turn of
 * a conversation. Callers see the tools and arguments of the servers.
 */
export function acceptable(provider: ModelProvider, kind: ServedKind): ModelProvider {
  return {
    listModels: (signal) => provider.listModels(signal),
    async *stream(request, signal) {
      const { accepted, own } = acceptedRequest(request, kind)
      for await (const delta of provider.stream(accepted, signal)) {
        yield delta.type === 'tool-call' ? { ...delta, call: own(delta.call) } : delta
      }
    },
  }
}

/** The request that the API accepts; `own` restores the argument names of calls. */
function acceptedRequest(
  request: ModelRequest,
  kind: ServedKind,
): { accepted: ModelRequest; own: (call: ModelToolCall) => ModelToolCall } {
  const sent = new Map<string, OfferedTool>()
  const toOwn = new Map<string, ReadonlyMap<string, string>>()
  const toSent = new Map<string, ReadonlyMap<string, string>>()
  for (const offered of request.tools) {
    if (sent.has(offered.name) || sent.size === MAX_TOOLS) continue
    const found = sentTool(offered, kind)
    if (found.is === 'left-out') continue
    sent.set(offered.name, found.tool)
    if (found.names.size === 0) continue
    toOwn.set(offered.name, found.names)
    toSent.set(offered.name, new Map([...found.names].map(([theirs, ours]) => [ours, theirs])))
  }
  const written = (call: ModelToolCall) => withArguments(call, toSent.get(call.name))
  return {
    accepted: {
      ...request,
      system: request.system.toWellFormed(),
      tools: [...sent.values()],
      messages: acceptedHistory(wellFormed(request.messages), written),
    },
    own: (call) => withArguments(call, toOwn.get(call.name)),
  }
}

function withArguments(call: ModelToolCall, names: ReadonlyMap<string, string> | undefined): ModelToolCall {
  const { arguments: args } = call
  if (!names || !args) return call
  const renamed = Object.entries(args).map(([name, value]) => {
    const other = names.get(name)
    return [other === undefined || Object.hasOwn(args, other) ? name : other, value] as const
  })
  return { ...call, arguments: Object.fromEntries(renamed) }
}

/** Gives calls names and ids that every API accepts: the history may come from other models and servers. */
function acceptedHistory(
  messages: readonly ModelMessage[],
  written: (call: ModelToolCall) => ModelToolCall,
): readonly ModelMessage[] {
  const taken = new Set<string>()
  /** Id in the history → id that is sent for its newest call. */
  const ids = new Map<string, string>()
  /** Kept ids are also in the provider's own state, which must return unchanged. */
  const idOf = (own: string, kept: boolean) => {
    const plain = kept ? own : own.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MAX_NAME_LENGTH) || 'call'
    let free = plain
    for (let n = 2; !kept && taken.has(free); n++) free = `${plain.slice(0, MAX_NAME_LENGTH - 8)}_${n}`
    taken.add(free)
    ids.set(own, free)
    return free
  }
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { ...message, callId: ids.get(message.callId) ?? message.callId, toolName: acceptedName(message.toolName) }
    }
    if (message.role === 'user') return message
    const kept = message.providerState !== undefined
    const toolCalls = message.toolCalls.map((call) => ({
      ...written(call),
      id: idOf(call.id, kept),
      name: acceptedName(call.name),
    }))
    return { ...message, toolCalls }
  })
}

const acceptedName = (name: string) => name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed'

/** Half of a surrogate pair, from a text that was cut, makes a body that providers cannot parse. */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [wellFormed(name), wellFormed(member)])) as T
}
