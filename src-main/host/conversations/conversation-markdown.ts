import { assertNever } from '../../../src-shared/base/json.ts'
import type { ResourceItem } from '../../../src-shared/contract/attachments.ts'
import type { ContentView } from '../../../src-shared/contract/blobs.ts'
import {
  type ConversationHead,
  type Message,
  STATUS_LABELS,
  type ToolCall,
  type ToolCallResult,
} from '../../../src-shared/contract/conversations.ts'
import type { BlobStore, StoredToolCall } from '../../storage/base/storage.ts'
import { isBlobRef } from '../core/content-views.ts'
import { isForModel, readBlobText } from '../models/model-content.ts'

/** Bytes of one text; of a longer one head and tail are included. */
const TEXT_LIMIT = 1024 * 1024

/** A conversation as Markdown, with every tool call, its arguments and its outcome; of `said`, the messages and the names of the rest. */
export async function conversationMarkdown(
  head: ConversationHead,
  messages: readonly Message[],
  toolCalls: ReadonlyMap<string, StoredToolCall>,
  blobs: BlobStore,
  of: 'all' | 'said' = 'all',
): Promise<string> {
  const whole = of === 'all'
  const parts = [`# ${oneLine(head.title || 'Conversation')}`, `${new Date(head.createdAt).toISOString()} · ${head.model.model}`]
  for (const message of messages) {
    const who = message.role === 'user' ? 'You' : (message.model?.model ?? 'Model')
    const from = message.origin ? ` (prompt “${oneLine(message.origin.title)}” of “${oneLine(message.origin.serverName)}”)` : ''
    parts.push(`## ${oneLine(who)}${from}`)
    for (const part of message.parts) {
      switch (part.type) {
        case 'text':
          parts.push(await readBlobText(part, blobs, TEXT_LIMIT))
          break
        case 'thinking':
          break
        case 'tool-call': {
          const call = toolCalls.get(part.toolCallId)?.toolCall
          if (call) parts.push(whole ? await callMarkdown(call, blobs) : callHeading(call))
          break
        }
        case 'resource':
          parts.push(`Attached: “${oneLine(part.title)}” of “${oneLine(part.serverName)}”, \`${oneLine(part.uri)}\``)
          if (whole) parts.push(...(await itemTexts(part.items, blobs)))
          break
        case 'file':
          parts.push(`Attached file: “${oneLine(part.title)}”, ${part.size} bytes`)
          if (whole) parts.push(...(await itemTexts(part.items, blobs)))
          break
        case 'content':
          if (whole || isForModel(part.content)) parts.push(await blockMarkdown(part.content, blobs))
          break
        default:
          assertNever(part)
      }
    }
    if (message.problem) parts.push(`*${oneLine(message.problem.what)}*`)
  }
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

async function itemTexts(items: readonly ResourceItem[], blobs: BlobStore): Promise<readonly string[]> {
  const texts: string[] = []
  for (const { content } of items) if (!isBlobRef(content)) texts.push(fenced(await readBlobText(content, blobs, TEXT_LIMIT)))
  return texts
}

function callHeading({ serverName, tool, status, result }: ToolCall): string {
  const name = serverName ? `${serverName} / ${tool}` : tool
  return `### Tool call: ${oneLine(name)} — ${STATUS_LABELS[status]}${result?.isError ? ' (error)' : ''}`
}

async function callMarkdown(call: ToolCall, blobs: BlobStore): Promise<string> {
  const parts = [callHeading(call)]
  const { json, whole } = call.arguments
  parts.push(fenced(await readBlobText({ text: json, ...(whole && { whole }) }, blobs, TEXT_LIMIT), 'json'))
  if (call.result) parts.push(...(await resultMarkdown(call.result, blobs)))
  if (call.received)
    parts.push('*The model did not get this result whole. The server sent:*', ...(await resultMarkdown(call.received, blobs)))
  if (call.problem) parts.push(`*${oneLine(call.problem.what)}*`)
  if (call.undone) parts.push('*Undone by the person.*')
  return parts.join('\n\n')
}

async function resultMarkdown({ content, structured }: ToolCallResult, blobs: BlobStore): Promise<string[]> {
  const parts: string[] = []
  for (const block of content) parts.push(await blockMarkdown(block, blobs))
  if (structured) {
    const text = { text: structured.json, ...(structured.whole && { whole: structured.whole }) }
    parts.push(fenced(await readBlobText(text, blobs, TEXT_LIMIT), 'json'))
  }
  return parts
}

async function blockMarkdown(block: ContentView, blobs: BlobStore): Promise<string> {
  switch (block.type) {
    case 'text':
      return fenced(await readBlobText(block, blobs, TEXT_LIMIT))
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.blob.mimeType}, ${block.blob.bytes} bytes]`
    case 'resource':
      if (isBlobRef(block.content)) return `[resource \`${oneLine(block.uri)}\`, ${block.content.bytes} bytes]`
      return `Resource \`${oneLine(block.uri)}\`:\n\n${fenced(await readBlobText(block.content, blobs, TEXT_LIMIT))}`
    case 'resource_link':
      return `Link to the resource “${oneLine(block.title ?? block.name)}”: \`${oneLine(block.uri)}\``
    case 'unknown':
      return `[content of an unknown kind: ${oneLine(block.kind)}]`
    default:
      return assertNever(block)
  }
}

/** Puts foreign text between fences that it cannot close. */
function fenced(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const oneLine = (text: string): string => text.replace(/[\s`]+/g, ' ').trim()
