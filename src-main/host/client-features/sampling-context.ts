import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ContextOffer } from '../../../src-shared/contract/sampling.ts'
import type { CreateMessageParams } from '../../../src-shared/mcp/client-requests.ts'
import type { Storage, StoredToolCall } from '../../storage/base/storage.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'
import { boundText, cut, type InlineBudget } from '../core/content-views.ts'
import type { BlobHold } from '../core/transient-blobs.ts'
import { readBlobText } from '../models/model-content.ts'

/** Bytes of one offer; older parts are left out. */
const OFFER_LIMIT = 24 * 1024
const RESULT_LIMIT = 4 * 1024

export interface ContextText {
  readonly offer: ContextOffer
  readonly text: string
}

/**
 * Offers of context for `includeContext`, from the conversation that caused the request, if that is known. `thisServer` offers this
 * server's answers there; `allServers` also the other servers' answers and the messages. An offer adds nothing until a person ticks it
 * (SAMP-23).
 */
export async function contextOffers(
  asked: NonNullable<CreateMessageParams['includeContext']>,
  from: { readonly serverId: ServerId; readonly call: CallInFlight | undefined },
  storage: Pick<Storage, 'messages' | 'blobs'>,
  hold: BlobHold,
  budget: InlineBudget,
): Promise<readonly ContextText[]> {
  const origin = from.call?.origin
  if (asked === 'none' || !origin) return []
  const { messages, toolCalls } = await storage.messages.transcript(origin.conversationId)
  const title = cut(origin.title || 'this conversation', 60)
  const byServer = new Map<string, string[]>()
  for (const { toolCall } of toolCalls.values()) {
    if (!toolCall.serverId || toolCall.status !== 'finished') continue
    if (asked === 'thisServer' && toolCall.serverId !== from.serverId) continue
    const answers = byServer.get(toolCall.serverId) ?? []
    byServer.set(toolCall.serverId, answers)
    answers.push(await answerText(toolCall, storage))
  }
  const offers: ContextText[] = []
  const add = async (id: string, label: string, parts: readonly string[]) => {
    const text = lastOf(parts)
    if (text === '') return
    const preview = await boundText(text, hold, budget)
    offers.push({ offer: { id, label, preview, tokens: Math.ceil(text.length / 4) }, text })
  }
  const serverName = (id: string) =>
    [...toolCalls.values()].find(({ toolCall }) => toolCall.serverId === id)?.toolCall.serverName ?? id
  for (const [id, answers] of [...byServer].sort(([a], [b]) => Number(b === from.serverId) - Number(a === from.serverId))) {
    await add(`server/${id}`, `Answers of “${cut(serverName(id), 60)}” in “${title}”`, answers)
  }
  if (asked === 'allServers') {
    const said: string[] = []
    for (const { message } of messages) {
      for (const part of message.parts) {
        if (part.type === 'text') said.push(`${message.role}: ${await readBlobText(part, storage.blobs, RESULT_LIMIT)}`)
      }
    }
    await add('messages', `The messages of “${title}”`, said)
  }
  return offers
}

/** The addition to the system prompt for the ticked offers. */
export function tickedContext(offers: readonly ContextText[], ticked: readonly string[]): string {
  const chosen = offers.filter(({ offer }) => ticked.includes(offer.id))
  return chosen.map(({ offer, text }) => `[${offer.label}; shared by the person]\n${text}\n[end]`).join('\n\n')
}

async function answerText({ tool, result }: StoredToolCall['toolCall'], storage: Pick<Storage, 'blobs'>): Promise<string> {
  const parts: string[] = []
  for (const block of result?.content ?? []) {
    if (block.type === 'text') parts.push(await readBlobText(block, storage.blobs, RESULT_LIMIT))
  }
  return `${tool}: ${parts.join('\n')}`
}

/** The newest parts that fit. */
function lastOf(parts: readonly string[]): string {
  const kept: string[] = []
  let left = OFFER_LIMIT
  for (const part of [...parts].reverse()) {
    left -= Buffer.byteLength(part)
    if (left < 0) break
    kept.unshift(part)
  }
  return kept.join('\n\n')
}
