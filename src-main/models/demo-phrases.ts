import { isObject } from '../../src-shared/base/json.ts'
import { coerce, findTool, type SpelledCall } from './demo-grammar.ts'
import type { OfferedTool } from './model-provider.ts'

/** A plain sentence with an obvious tool. `tools` are in order of preference. */
interface Phrase {
  readonly example: string
  readonly says: RegExp
  readonly tools: readonly string[]
  /** The arguments, in the order of the tool's properties. */
  readonly words: (found: RegExpExecArray) => readonly string[]
}

/** A longer text is not a sentence. */
const MAX_LENGTH = 4_000

const captured = (found: RegExpExecArray) => found.slice(1).filter((word) => word !== undefined)

/** All that the Demo model understands besides `use …`; its help lists them. */
export const PHRASES: readonly Phrase[] = [
  {
    example: 'add 2 and 3',
    says: /^(?:please\s+)?(?:add|sum)\s+(-?[\d.]+)\s*(?:and|to|,|\+|\s)\s*(-?[\d.]+)\??$/i,
    tools: ['add', 'get-sum', 'sum'],
    words: captured,
  },
  {
    example: 'what is 2 plus 3?',
    says: /^(?:what(?:'s| is)\s+)?(-?[\d.]+)\s*(?:plus|\+)\s*(-?[\d.]+)\s*\??$/i,
    tools: ['add', 'get-sum', 'sum'],
    words: captured,
  },
  { example: 'echo hello', says: /^(?:please\s+)?(?:echo|repeat)\s+([\s\S]+)$/i, tools: ['echo'], words: captured },
  {
    example: 'describe the text “to be or not to be”',
    says: /^describe\s+(?:the\s+)?text\s+["“]?([\s\S]+?)["”]?$/i,
    tools: ['describe-text'],
    words: captured,
  },
  {
    example: 'run the slow task for 5 seconds',
    says: /^(?:run|start)\s+(?:the\s+|a\s+)?slow\s+task(?:\s+for\s+(\d+)(?:\s+seconds?)?)?\.?$/i,
    tools: ['slow-task', 'trigger-long-running-operation'],
    words: captured,
  },
  { example: 'list my notes', says: /^(?:list|show)\s+(?:my\s+|the\s+)?notes\??$/i, tools: ['list-notes'], words: () => [] },
  {
    example: 'delete the note groceries',
    says: /^delete\s+(?:the\s+)?note\s+["“]?([^"”]+?)["”]?\.?$/i,
    tools: ['delete-note'],
    words: captured,
  },
  {
    example: 'list the files in /tmp',
    says: /^list\s+(?:the\s+)?files\s+in\s+(\S+)$/i,
    tools: ['list_directory'],
    words: captured,
  },
  {
    example: 'read /tmp/notes.txt',
    says: /^read\s+(?:the\s+file\s+)?(\/\S+)$/i,
    tools: ['read_text_file', 'read_file'],
    words: captured,
  },
]

/** The tools that a sentence means, offered or not. */
export function toolsMeant(text: string): readonly string[] | undefined {
  return text.length > MAX_LENGTH ? undefined : PHRASES.find(({ says }) => says.test(text.trim()))?.tools
}

/** The call that a sentence means, if its tool is offered. */
export function readPhrase(text: string, tools: readonly OfferedTool[]): { offered: OfferedTool; call: SpelledCall } | undefined {
  if (text.length > MAX_LENGTH) return undefined
  for (const phrase of PHRASES) {
    const found = phrase.says.exec(text.trim())
    if (!found) continue
    for (const name of phrase.tools) {
      const offered = findTool(name, tools)
      if (!offered) continue
      const properties = isObject(offered.inputSchema.properties) ? Object.keys(offered.inputSchema.properties) : []
      const pairs = Object.fromEntries(
        phrase.words(found).flatMap((word, at) => (properties[at] ? [[properties[at], word]] : [])),
      )
      return { offered, call: { tool: name, json: coerce(pairs, offered.inputSchema) } }
    }
  }
  return undefined
}
