import { isVouched, type JudgedTool, powersOf } from './powers.ts'

/** A tool with the words that its server tells models of it. */
export interface DescribedTool {
  readonly tool: JudgedTool
  readonly description: string
}

/** The name of a server that nobody vouches for, one of whose descriptions names this tool of another server. */
export function namedElsewhere({ serverId, name }: JudgedTool, all: Iterable<DescribedTool>): string | undefined {
  for (const { tool, description } of all)
    if (tool.serverId !== serverId && names(description, name) && !isVouched(powersOf(tool).from)) return tool.serverName
  return undefined
}

/** True if the text has the name as a whole word. An ordinary word, such as `query`, counts only in quotes or as code. */
function names(text: string, name: string): boolean {
  const isPlain = /^\p{L}+$/u.test(name) && name === name.toLowerCase()
  for (let at = name === '' ? -1 : text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]]
    if (isPlain ? QUOTE.test(before) && QUOTE.test(after) : !IN_WORD.test(before) && !IN_WORD.test(after)) return true
  }
  return false
}

const QUOTE = /["'`“”‘’«»]/
const IN_WORD = /[\p{L}\p{N}_]/u
