import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import type { Progress, Tool } from '../../src-shared/mcp/primitives.ts'

export interface PlaygroundCall {
  readonly signal: AbortSignal
  progress(progress: Progress): void
  wait(ms: number): Promise<void>
  /** Sends a request to the host; rejects with its ProtocolError, or when the call is cancelled. */
  ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>
}

export interface PlaygroundTool {
  readonly definition: Tool
  run(args: Record<string, unknown>, call: PlaygroundCall): Promise<CallToolResult>
}

export const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
export const failure = (text: string): CallToolResult => ({ ...says(text), isError: true })

const READS = { readOnlyHint: true, openWorldHint: false }

const input = (properties: Record<string, object>, ...required: string[]): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

export function playgroundTools(): readonly PlaygroundTool[] {
  return [ADD, SLOW_TASK, DESCRIBE_TEXT, ...noteTools(), ALWAYS_FAILS]
}

const ADD: PlaygroundTool = {
  definition: {
    name: 'add',
    title: 'Add two numbers',
    description: 'Adds two numbers and returns their sum.',
    inputSchema: input(
      { a: { type: 'number', description: 'First number' }, b: { type: 'number', description: 'Second number' } },
      'a',
      'b',
    ),
    annotations: READS,
  },
  async run({ a, b }) {
    if (typeof a !== 'number' || typeof b !== 'number') return failure('Both a and b have to be numbers.')
    return says(`${a} + ${b} = ${a + b}`)
  },
}

const SLOW_TASK: PlaygroundTool = {
  definition: {
    name: 'slow-task',
    title: 'Slow task',
    description: 'Takes some seconds and reports its progress on the way. Can be cancelled.',
    inputSchema: input({
      seconds: { type: 'number', description: 'How long it takes, 1 to 300', minimum: 1, maximum: 300, default: 10 },
    }),
    annotations: READS,
  },
  async run({ seconds = 10 }, call) {
    if (typeof seconds !== 'number' || !(seconds >= 1 && seconds <= 300))
      return failure('seconds has to be a number from 1 to 300.')
    const steps = Math.ceil(seconds * 4)
    for (let step = 1; step <= steps; step++) {
      await call.wait((seconds * 1000) / steps)
      call.progress({ progress: step, total: steps, message: `Step ${step} of ${steps}` })
    }
    return says(`Done after ${seconds} s and ${steps} steps.`)
  },
}

const COUNTS = { characters: { type: 'integer' }, words: { type: 'integer' }, lines: { type: 'integer' } }
const DESCRIBE_TEXT: PlaygroundTool = {
  definition: {
    name: 'describe-text',
    title: 'Describe a text',
    description: 'Counts the characters, words and lines of a text. Returns structured content.',
    inputSchema: input({ text: { type: 'string', description: 'The text to describe' } }, 'text'),
    outputSchema: {
      type: 'object',
      properties: { ...COUNTS, longestWord: { type: 'string' } },
      required: [...Object.keys(COUNTS), 'longestWord'],
    },
    annotations: READS,
  },
  async run({ text }) {
    if (typeof text !== 'string') return failure('text has to be a string.')
    const words = text.match(/\S+/g) ?? []
    const structuredContent = {
      characters: [...text].length,
      words: words.length,
      lines: text.split('\n').length,
      longestWord: words.reduce<string>((longest, word) => (word.length > longest.length ? word : longest), ''),
    }
    return { ...says(JSON.stringify(structuredContent)), structuredContent }
  },
}

function noteTools(): readonly PlaygroundTool[] {
  const notes = new Map([
    ['groceries', 'bread, olives, coffee'],
    ['ideas', 'a host that people trust with their tools'],
  ])
  return [
    {
      definition: {
        name: 'list-notes',
        title: 'List notes',
        description: 'Lists the notes that this Playground keeps in memory.',
        inputSchema: input({}),
        annotations: READS,
      },
      run: async () => says([...notes].map(([name, text]) => `${name}: ${text}`).join('\n') || 'There are no notes.'),
    },
    {
      definition: {
        name: 'delete-note',
        title: 'Delete a note',
        description: 'Deletes one of the notes in memory. It comes back only when the Playground restarts.',
        inputSchema: input({ name: { type: 'string', description: 'Name of the note' } }, 'name'),
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      },
      async run({ name }) {
        if (typeof name !== 'string') return failure('name has to be a string.')
        return notes.delete(name) ? says(`The note “${name}” is gone.`) : failure(`There is no note “${name}”.`)
      },
    },
  ]
}

const ALWAYS_FAILS: PlaygroundTool = {
  definition: {
    name: 'always-fails',
    title: 'Always fails',
    description: 'Fails, so that you can see what a failed tool looks like.',
    inputSchema: input({ reason: { type: 'string', description: 'What it should say' } }),
    annotations: READS,
  },
  run: async ({ reason }) => failure(typeof reason === 'string' && reason !== '' ? reason : 'This tool fails on purpose.'),
}
