/** Words as a person reads them in one line: what holds spaces or signs stands in single quotes, as a shell has it. */
export const quotedWords = (words: readonly string[]): string => words.map(quoted).join(' ')

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
