import type { Message, Turn } from '../../src-shared/contract/conversations.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import type { ConversationId, ToolCallId } from '../../src-shared/contract/ids.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import type { ProjectHead } from '../../src-shared/contract/projects.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { TopicEvent } from '../../src-shared/contract/topics.ts'
import type { Host } from '../host/host.ts'
import { askingServers, missingServers, serversSettled } from '../host/servers/settled-servers.ts'
import type { RunOutcome, RunQuestion, RunRequest } from './run-messages.ts'

/** Bytes of a reply that are printed. */
const REPLY_LIMIT = 4 * 1024 * 1024

export interface RunOptions {
  /** Stops the turn, as the person's Stop does. */
  readonly signal: AbortSignal
  /** Sentences for the person: servers that the run goes on without. */
  readonly onNote: (note: string) => void
}

/**
 * Sends a prompt in a new conversation and waits for the end of its turn, or until only the person can go on. It never answers a
 * question. A finished turn, too, counts as waiting if a server that it could have used waits for permission to start. Throws HostError
 * when it cannot begin, and the signal's reason once the turn has stopped.
 */
export async function runPrompt(host: Host, request: RunRequest, { signal, onNote }: RunOptions): Promise<RunOutcome> {
  const project = request.project === undefined ? undefined : findProject(host.state.snapshot.projects, request.project)
  const { id } = await host.conversations.create(project ? { project: project.id } : {})
  return host.conversations.open(id, async (conversation) => {
    await serversSettled(host, conversation.allSwitches, signal)
    const servers = () => Object.values(host.state.snapshot.servers)
    for (const note of missingServers(servers(), conversation.allSwitches)) onNote(note)
    signal.throwIfAborted()
    await conversation.send(request.prompt)
    const stop = () => void conversation.cancel()
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (signal.aborted) stop()
      const turn = await endOrQuestion(host, id)
      signal.throwIfAborted()
      return await outcomeOf(host, id, turn, askingServers(servers(), conversation.allSwitches))
    } finally {
      signal.removeEventListener('abort', stop)
    }
  })
}

/** By id, or by name without regard to case. */
function findProject(projects: readonly ProjectHead[], wanted: string): ProjectHead {
  const named = projects.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase())
  const [only, second] = named
  if (only && !second) return only
  const names = projects.map(({ name }) => `“${name}”`).join(', ')
  const why = second
    ? `Several projects are called “${wanted}”. Give the id: ${named.map(({ id }) => id).join(', ')}.`
    : `There is no project “${wanted}”. ${names ? `There are ${names}.` : 'There are none.'}`
  throw new HostError('not-found', why)
}

/** Resolves with the ended turn, or with undefined when every running call waits for the person. */
async function endOrQuestion({ state, storage, topics }: Host, id: ConversationId): Promise<Turn | undefined> {
  const running = new Set<ToolCallId>()
  let turn: Turn | undefined
  let look = () => {}
  const note = (event: TopicEvent | 'gone') => {
    if (event !== 'gone' && event.type === 'turn.changed') turn = event.turn
    if (event !== 'gone' && event.type === 'toolCall.changed') {
      const { toolCall } = event
      if (toolCall.status === 'running') running.add(toolCall.id)
      else running.delete(toolCall.id)
    }
    look()
  }
  const followed = await topics.follow(`conversation/${id}`, (_seq, event) => note(event))
  if (followed?.value.kind !== 'conversation') throw new HostError('not-found', 'The conversation was removed.')
  turn = followed.value.turn
  for (const call of Object.values(followed.value.toolCalls)) if (call.status === 'running') running.add(call.id)
  try {
    return await new Promise((resolve) => {
      const undo = state.onEvent(() => look())
      look = () => {
        const isEnded = turn !== undefined && turn.status !== 'running'
        const asked = questionsOf(state.snapshot.interactions, id)
        const about = new Set(asked.map((question) => question.about.toolCallId))
        if (!isEnded && (asked.length === 0 || [...running].some((call) => !about.has(call)))) return
        undo()
        resolve(isEnded ? storage.messages.latestTurn(id) : undefined)
      }
      look()
    })
  } finally {
    followed.stop()
  }
}

const questionsOf = (interactions: readonly Interaction[], id: ConversationId) =>
  interactions.filter(({ about }) => about.conversationId === id)

async function outcomeOf(
  host: Host,
  id: ConversationId,
  turn: Turn | undefined,
  asking: readonly ServerRecord[],
): Promise<RunOutcome> {
  const { messages: stored, blobs } = host.storage
  const { messages, toolCalls } = await stored.transcript(id)
  const replies = messages.map(({ message }) => message).filter(({ role }) => role === 'assistant')
  const last = replies.findLast(({ parts }) => parts.some(({ type }) => type === 'text'))
  const title = host.conversations.find(id)?.head.title ?? ''
  const problem = turn?.problem ?? last?.problem
  const questions = [
    ...(turn ? [] : questionsOf(host.state.snapshot.interactions, id).map(runQuestion)),
    ...asking.map(startQuestion),
  ]
  return {
    status: turn && turn.status !== 'finished' ? 'failed' : questions.length > 0 ? 'waiting' : 'finished',
    conversation: { id, title },
    reply: last ? await textOf(last, blobs) : '',
    calls: [...toolCalls.values()].map(({ toolCall: { serverName, tool, status } }) => ({
      ...(serverName !== undefined && { server: serverName }),
      tool,
      status,
    })),
    questions,
    tokens: {
      input: replies.reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0),
      output: replies.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0),
    },
    ...(problem && { problem: { what: problem.what, ...(problem.todo !== undefined && { todo: problem.todo }) } }),
  }
}

async function textOf({ parts }: Message, blobs: Host['storage']['blobs']): Promise<string> {
  const texts: string[] = []
  for (const part of parts) {
    if (part.type !== 'text') continue
    texts.push(
      part.whole ? Buffer.from(await blobs.read(part.whole.blob, { offset: 0, length: REPLY_LIMIT })).toString() : part.text,
    )
  }
  return texts.join('\n')
}

const startQuestion = ({ name }: ServerRecord): RunQuestion => ({
  kind: 'server-trust',
  server: name,
  cause: `“${name}” waits for your permission to start.`,
})

function runQuestion({ kind, about, ...asked }: Interaction): RunQuestion {
  const { question } = asked
  return {
    kind,
    server: about.serverName,
    cause: about.cause,
    ...('calls' in question && {
      calls: question.calls.map(({ serverName, tool, arguments: given }) => ({
        server: serverName,
        tool,
        arguments: given.json,
      })),
    }),
  }
}
