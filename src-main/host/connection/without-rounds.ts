const CARRIED = /"(?:requestState|inputResponses)"\s*:\s*/g

/**
 * The text of a message without the members that go from round to round: the server's secret state and the person's answers
 * (V26-MRTR-19). The text may be cut anywhere.
 */
export function withoutRounds(text: string): string {
  let kept = ''
  let from = 0
  CARRIED.lastIndex = 0
  for (let found = CARRIED.exec(text); found; found = CARRIED.exec(text)) {
    const start = CARRIED.lastIndex
    const end = endOfValue(text, start)
    kept += `${text.slice(from, start)}"… (${end - start} characters)"`
    from = end
    CARRIED.lastIndex = end
  }
  return from === 0 ? text : kept + text.slice(from)
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (depth > 0 || character !== ',') continue
    if (depth < 0 || (depth === 0 && character === ',')) return at
    if (depth === 0) return Math.min(at + 1, text.length)
  }
  return text.length
}

/** Position of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
