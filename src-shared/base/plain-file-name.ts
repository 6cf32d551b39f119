/** A file's name that may stay in a message where it was chosen: words and an extension, and nothing invisible. */
export const isPlainFileName = (name: string): boolean =>
  name.length <= 80 && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]+)*$/u.test(name) && /\.[\p{L}\p{N}]{1,9}$/u.test(name)

/** The text without these names. The author of a file chose its name, so it does not count as words of the person. */
export function withoutFileNames(text: string, names: readonly string[]): string {
  const plain = names.filter(isPlainFileName).sort((a, b) => b.length - a.length)
  if (plain.length === 0) return text
  const any = plain.map((name) => name.replaceAll('.', '\\.')).join('|')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_@/\\\\.-])(?:${any})(?![\\p{L}\\p{N}_@/\\\\-])`, 'gu'), ' ')
}
