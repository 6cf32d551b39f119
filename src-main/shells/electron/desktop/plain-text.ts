/** Makes foreign text safe for a menu or notification: one line without hidden characters, of at most `most` characters. */
export function plainText(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}

/** The same for a menu, where a single & would underline the next letter. */
export function menuText(text: string): string {
  return plainText(text, 50).replaceAll('&', '&&')
}

/** “1 question”, “2 questions”. */
export function countedText(n: number, one: string): string {
  return `${n} ${one}${n === 1 ? '' : 's'}`
}
