// An unterminated string counts as a string: it is scanned once, not once from each of its quotes.
const TOKEN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g
/** A comma with nothing but space between it and what closes the list. */
const TRAILING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g

/** JSON as it is without the comments and trailing commas that some hosts let people write. Everything keeps its line and column. */
export function withoutComments(text: string): string {
  if (!/\/[/*]|,\s*[}\]]/.test(text)) return text
  const bare = text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token.replace(/[^\r\n]/g, ' ')))
  return bare.replace(TRAILING, (token) => (token === ',' ? ' ' : token))
}
