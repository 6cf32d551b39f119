// An unterminated string is one token, so that scanning stays linear.
const TOKEN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g
const TRAILING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g

/** Blanks out comments and trailing commas, which some hosts allow. Everything else keeps its line and column. */
export function withoutComments(text: string): string {
  if (!/\/[/*]|,\s*[}\]]/.test(text)) return text
  const bare = text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token.replace(/[^\r\n]/g, ' ')))
  return bare.replace(TRAILING, (token) => (token === ',' ? ' ' : token))
}
