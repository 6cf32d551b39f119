/** Words on one line for a person to read, single-quoted as a shell would where needed. */
export const quotedWords = (words: readonly string[]): string => words.map(quoted).join(' ')

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
