import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import { blockedSentence } from '../../../src-shared/contract/blocked-sentence.ts'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { ModelContent, ModelMessage, ModelToolCall } from '../../models/model-provider.ts'
import type { StoredMessage, StoredToolCall, Transcript } from '../../storage/base/storage.ts'
import {
  correctionFor,
  fileContent,
  MODEL_MESSAGE_LIMIT,
  type ModelReader,
  modelContent,
  partContent,
  readBlobText,
} from '../models/model-content.ts'
import type { ProjectGuidance } from '../projects/projects.ts'

/** The provider's id and name for a tool call. */
export interface CallExtras {
  readonly callId: string
  readonly wireName: string
  /** True if the model wrote no JSON object; the record's arguments then hold its text. */
  readonly broken?: boolean
}

/**
 * The conversation for a model: every message, and every tool call with its outcome under the model's own ids and names. Failed replies
 * are left out; of interrupted ones the text stays. `told` caches settled messages, so that a long turn reads each once and the prompt
 * stays the same for providers' caches. `ahead` precedes the first message.
 */
export async function modelHistory(
  transcript: Transcript,
  model: ModelRef,
  reader: ModelReader,
  told: Map<MessageId, readonly ModelMessage[]> = new Map(),
  ahead: readonly ModelContent[] = [],
): Promise<readonly ModelMessage[]> {
  const history: ModelMessage[] = []
  for (const stored of transcript.messages) {
    const { id } = stored.message
    const said = told.get(id) ?? (await messageHistory(stored, transcript, model, reader))
    if (isSettled(stored.message, transcript)) told.set(id, said)
    // The model has read this note after the interrupted reply, so it stays there in later rounds.
    if (said[0]?.role === 'assistant' && history.at(-1)?.role === 'assistant') history.push(CUT_OFF)
    history.push(...said)
  }
  const [first] = history
  if (first?.role === 'user') history[0] = { ...first, content: [...ahead, ...first.content] }
  else if (ahead.length > 0) history.unshift({ role: 'user', content: ahead })
  if (history.at(-1)?.role === 'assistant') history.push(CUT_OFF)
  return history
}

/** The files of a conversation's project, for a model. */
export async function projectFiles(project: ProjectGuidance | undefined, reader: ModelReader): Promise<readonly ModelContent[]> {
  if (!project || project.files.length === 0) return []
  const kept: ModelContent[] = []
  for (const file of project.files) kept.push(...(await fileContent(file, reader)))
  return [{ type: 'text', text: `Files of the project “${project.name}”, which this conversation is part of:` }, ...kept]
}

const CUT_OFF: ModelMessage = {
  role: 'user',
  content: [{ type: 'text', text: 'Your last reply was cut off. Go on from where it ended.' }],
}

function isSettled({ status, parts }: Message, { toolCalls }: Transcript): boolean {
  return (
    status !== 'streaming' &&
    parts.every((part) => part.type !== 'tool-call' || toolCalls.get(part.toolCallId)?.toolCall.finishedAt !== undefined)
  )
}

/** One message with the outcomes of its calls. */
export async function messageHistory(
  { message, extras }: StoredMessage,
  transcript: Transcript,
  model: ModelRef,
  reader: ModelReader,
): Promise<ModelMessage[]> {
  if (message.role === 'user') return [{ role: 'user', content: await personContent(message, reader) }]
  let text = ''
  for (const part of message.parts) {
    if (part.type === 'text') text += await readBlobText(part, reader.blobs, MODEL_MESSAGE_LIMIT)
    else if (part.type === 'content') text += '[a part that is not text: shown to the person, not to you]'
  }
  if (message.status === 'failed' || message.status === 'streaming') return []
  if (message.status !== 'done') return text ? [{ role: 'assistant', text, toolCalls: [] }] : []

  const calls = message.parts.flatMap((part) => {
    const stored = part.type === 'tool-call' ? transcript.toolCalls.get(part.toolCallId) : undefined
    return stored ? [stored] : []
  })
  if (!text && calls.length === 0) return []
  const toolCalls = await Promise.all(calls.map((stored) => modelToolCall(stored, reader)))
  const same = message.model?.provider === model.provider && message.model.model === model.model
  const state = same && isObject(extras?.providerState) ? (extras.providerState as JsonObject) : undefined
  const outcomes = await Promise.all(calls.map((stored) => outcome(stored, reader)))
  return [{ role: 'assistant', text, toolCalls, ...(state && { providerState: state }) }, ...outcomes]
}

/** Attachments come before the typed text; media of a prompt stay in its order. */
async function personContent(message: Message, reader: ModelReader): Promise<readonly ModelContent[]> {
  const attached: ModelContent[] = []
  const said: ModelContent[] = []
  const from = { serverName: message.origin?.serverName ?? '' }
  for (const part of message.parts) {
    const content = await partContent(part, from, reader)
    if (part.type === 'resource' || part.type === 'file') attached.push(...content)
    else said.push(...content)
  }
  return [...attached, ...said]
}

async function modelToolCall(stored: StoredToolCall, reader: ModelReader): Promise<ModelToolCall> {
  const { callId, wireName, broken } = namesOf(stored)
  const named = { id: callId, name: wireName }
  if (broken) return { ...named, broken: stored.toolCall.arguments.json }
  const args = await readArguments(stored.toolCall.proposed ?? stored.toolCall.arguments, reader)
  return args ? { ...named, arguments: args } : { ...named, broken: stored.toolCall.arguments.json }
}

/** The complete arguments; undefined when they are no JSON object. */
export async function readArguments(
  { json, whole }: BoundedJson,
  { blobs }: Pick<ModelReader, 'blobs'>,
): Promise<JsonObject | undefined> {
  try {
    const parsed: unknown = parseJson(whole ? Buffer.from(await blobs.read(whole.blob)).toString('utf8') : json)
    return isObject(parsed) ? (parsed as JsonObject) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function outcome(stored: StoredToolCall, reader: ModelReader): Promise<ModelMessage> {
  const { toolCall } = stored
  const { callId, wireName } = namesOf(stored)
  const answered = { role: 'tool' as const, callId, toolName: wireName }
  if (toolCall.status === 'finished' && toolCall.result) {
    const from = { tool: toolCall.tool, serverName: toolCall.serverName ?? '' }
    const content = await modelContent(toolCall.result, from, reader)
    const said = [toolCall.unanswered && UNANSWERED, fenceNote(toolCall), toolCall.undone && UNDONE].filter((text) => text)
    const notes = said.map((text) => ({ type: 'text' as const, text: String(text) }))
    return { ...answered, content: [...editedNote(toolCall), ...content, ...notes], isError: toolCall.result.isError }
  }
  const isError = toolCall.status === 'failed' || toolCall.status === 'interrupted'
  return { ...answered, content: [...editedNote(toolCall), { type: 'text', text: outcomeNote(toolCall) }], isError }
}

const IN_BACKGROUND =
  'The server runs this call in the background. It has no result yet; do not repeat the call. The person is told when the result is there.'

const RESULT_CHANGED = 'The person shortened or changed this result before you got it.'

const WITHHELD = 'The call ran, and the person does not let you have its result. Do not repeat it to get the result.'

const UNANSWERED = 'The person did not answer what this call asked them in time.'

const UNDONE = 'Later the person undid what this call did to the file. Do not repeat it unless they ask for it.'

/** Keeps the model from guessing why the server failed. */
function fenceNote({ blocked }: ToolCall): string | undefined {
  return (
    blocked && `${blocked.map(blockedSentence).join(' ')} Only the person can open the fence. Do not look for a way around it.`
  )
}

/** Tells the model what the person changed: its arguments, of which long ones are cut, or the result. */
function editedNote({ proposed, arguments: { json, whole }, received, result }: ToolCall): { type: 'text'; text: string }[] {
  const called = `The person changed the arguments before allowing this call. It was made with: ${json}${whole ? ' …' : ''}`
  const notes = [...(proposed ? [called] : []), ...(received && result ? [RESULT_CHANGED] : [])]
  return notes.map((text) => ({ type: 'text', text }))
}

/** Tells the model why a call has no result. */
function outcomeNote(toolCall: ToolCall): string {
  const started = toolCall.startedAt !== undefined
  if (toolCall.received && (toolCall.status === 'finished' || toolCall.status === 'interrupted')) return WITHHELD
  switch (toolCall.status) {
    case 'declined':
      if (started) {
        return 'The person declined what this call asked for while it ran, so it gave no result. Do not repeat it unless they ask for it.'
      }
      return 'The person declined this call, so it was not made. Do not repeat it unless they ask for it.'
    case 'cancelled':
      return started
        ? 'The person stopped this call while it ran. It may have taken effect.'
        : 'This call was stopped before it was made.'
    case 'interrupted':
      if (toolCall.paused)
        return 'This call was interrupted while its server waited for an answer of the person. It gave no result.'
      return started
        ? 'This call was interrupted: it may have run, and its result is unknown. Check before you repeat it.'
        : 'This call was interrupted before it was made.'
    case 'failed': {
      const failed = 'The call failed and gave no result. The person has been shown why.'
      const said = [correctionFor(toolCall) ?? failed, toolCall.unanswered && UNANSWERED, fenceNote(toolCall)]
      return said.filter((text) => text).join(' ')
    }
    default:
      if (toolCall.task) return IN_BACKGROUND
      return 'This call has no result yet.'
  }
}

function namesOf({ toolCall, extras }: StoredToolCall): CallExtras {
  const word = (name: string, otherwise: string) => (typeof extras?.[name] === 'string' ? extras[name] : otherwise)
  return {
    callId: word('callId', toolCall.id),
    wireName: word('wireName', toolCall.tool),
    ...(extras?.broken === true && { broken: true }),
  }
}
