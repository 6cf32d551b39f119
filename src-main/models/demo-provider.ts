import { type Clock, delay, systemClock } from '../../src-shared/base/clock.ts'
import { coerce, findTool, readCommand, type SpelledCall } from './demo-grammar.ts'
import { PHRASES, readPhrase, toolsMeant } from './demo-phrases.ts'
import type { ModelMessage, ModelProvider, ModelRequest, ModelToolCall, OfferedTool } from './model-provider.ts'

/**
 * A built-in model that is not an AI: it follows a small grammar, so that a person without a key or a network can try tool calls,
 * consent and results. The same messages and tools give the same reply.
 */
export function createDemoProvider(options: { clock?: Clock; pace?: number } = {}): ModelProvider {
  const { clock = systemClock, pace = 12 } = options
  return {
    async listModels() {
      return [{ id: 'demo', name: 'Demo (not an AI)', contextWindow: 128_000, vision: false }]
    },

    async *stream(request, signal) {
      signal.throwIfAborted()
      const reply = replyTo(request)
      for (const text of chunks(reply.text)) {
        await delay(clock, pace, signal)
        yield { type: 'text', text }
      }
      for (const call of reply.calls) {
        yield { type: 'tool-call-started', id: call.id, name: call.name }
        yield { type: 'tool-call', call }
      }
      const input = JSON.stringify(request.messages).length
      yield {
        type: 'done',
        stopReason: reply.calls.length > 0 ? 'tool-use' : 'end',
        usage: { input: Math.ceil(input / 4), output: Math.ceil(reply.text.length / 4) },
        model: 'demo',
      }
    },
  }
}

interface Reply {
  readonly text: string
  readonly calls: readonly ModelToolCall[]
}

const say = (text: string): Reply => ({ text, calls: [] })

function replyTo({ messages, tools, purpose }: ModelRequest): Reply {
  const at = messages.findLastIndex((message) => message.role === 'user')
  const asked = textOf(messages[at])
  if (purpose === 'sampling') return say(`The Demo model is not an AI. It read: “${excerpt(asked)}”.`)

  const since = messages.slice(at + 1)
  const replies = since.filter((message) => message.role === 'assistant')
  const searched = replies.flatMap(({ toolCalls }) => toolCalls.filter(({ name }) => name === SEARCH))
  // A search for tools is not a round of the person's command.
  const round = replies.filter(({ toolCalls }) => toolCalls.some(({ name }) => name !== SEARCH)).length
  const lookFor = (wanted: readonly string[]): Reply | undefined => {
    const known = new Set(searched.map(({ arguments: args }) => args?.query))
    const queries = wanted.filter((query) => !known.has(query))
    if (queries.length === 0 || !tools.some(({ name }) => name === SEARCH)) return undefined
    return {
      text: '',
      calls: queries.map((query, nth) => ({ id: callId(replies.length, nth), name: SEARCH, arguments: { query } })),
    }
  }
  const command = readCommand(asked)
  if (command) {
    const calls = command[round]
    if (!calls) return say(report(since))
    const unknown = calls.filter(({ tool, problem }) => problem === undefined && !findTool(tool, tools))
    return lookFor(unknown.map(({ tool }) => tool.replaceAll('/', ' '))) ?? callAll(calls, replies.length, tools)
  }
  if (round > 0) return say(report(since))
  const phrase = readPhrase(asked, tools)
  if (phrase) {
    const { offered, call } = phrase
    return { text: '', calls: [{ id: callId(replies.length, 0), name: offered.name, arguments: call.json ?? {} }] }
  }
  const meant = toolsMeant(asked)
  const search = meant && lookFor([meant.join(' ')])
  if (search) return search
  const count = /^count to (\d{1,4})$/i.exec(asked.trim())
  if (count) return say(Array.from({ length: Number(count[1]) }, (_, n) => n + 1).join(' '))
  return say(help(tools))
}

function callAll(spelled: readonly SpelledCall[], round: number, tools: readonly OfferedTool[]): Reply {
  const complaints: string[] = []
  const calls: ModelToolCall[] = []
  for (const [at, { tool, pairs, json, problem }] of spelled.entries()) {
    const offered = findTool(tool, tools)
    if (problem) complaints.push(`I cannot use ${tool}: ${problem}.`)
    else if (!offered) complaints.push(`No tool called ${tool} is offered to me. ${offer(tools)}`)
    else calls.push({ id: callId(round, at), name: offered.name, arguments: json ?? coerce(pairs ?? {}, offered.inputSchema) })
  }
  return { text: complaints.join('\n\n'), calls }
}

/** Parley's own tool, offered in place of many. Tools that it finds can be called from the next round on. */
const SEARCH = 'find_tools'
/** Parley's own tools, which the help does not mention. */
const OWN = new Set([SEARCH, 'read_result'])

const callId = (round: number, at: number) => `demo-${round + 1}-${at + 1}`

function report(since: readonly ModelMessage[]): string {
  const last = since.findLastIndex((message) => message.role === 'assistant')
  const results = since.slice(last + 1).filter((message) => message.role === 'tool')
  if (results.length === 0) return 'Nothing came back.'
  return results
    .map(({ toolName, content, isError }) => {
      const name = toolName.split('__').at(-1)
      const said = unwrapped(content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n'))
      return `${isError ? `The tool **${name}** could not do it:` : `The tool **${name}** answered:`}\n\n${fence(said)}`
    })
    .join('\n\n')
}

/** A tool's text without the lines that mark it as data for real models. */
const unwrapped = (text: string) => /^The tool “[^\n]*\n([\s\S]*)\n\[end of the data from “[^\n]*”\]$/.exec(text)?.[1] ?? text

/** A code block that its content cannot close. */
function fence(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}text\n${excerpt(text, 2000)}\n${ticks}`
}

function help(tools: readonly OfferedTool[]): string {
  return [
    'I am the Demo model. I am not an AI: I only follow a few fixed patterns, so that you can try tools without a key or a network.',
    '- `use add with a=2 b=3` or `use echo {"message": "hi"}` calls a tool; `server/tool` names the server.\n- `;` between two calls makes both at once, `then` makes one after the other.\n- `count to 100` streams some text.',
    `Plain sentences that I know: ${PHRASES.map(({ example }) => `“${example}”`).join(', ')}.`,
    offer(tools),
  ].join('\n\n')
}

function offer(tools: readonly OfferedTool[]): string {
  const usable = tools.filter(({ name }) => !OWN.has(name))
  if (tools.some(({ name }) => name === SEARCH)) {
    return 'There are more tools than I can list: name one with `use`, and I look for it.'
  }
  if (usable.length === 0) return 'No tools are offered to me now: start a server first.'
  const names = usable.slice(0, 12).map(({ name }) => `\`${name.split('__').join('/')}\``)
  return `Tools that I can use now: ${names.join(', ')}${usable.length > 12 ? ` and ${usable.length - 12} more` : ''}.`
}

const textOf = (message: ModelMessage | undefined) =>
  message?.role === 'user' ? message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') : ''

const excerpt = (text: string, length = 200) => (text.length > length ? `${text.slice(0, length)} …` : text)

/** Words with the space after them, so that the reply streams as a model's would. */
const chunks = (text: string) => text.match(/\S+\s*/g) ?? []
