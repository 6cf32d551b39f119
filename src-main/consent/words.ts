export const key = (word: string) => word.toLowerCase()

/** Characters of a word; longer ones are split. */
const LONGEST = 2_000

const [BETWEEN, DIGIT, UPPER, JOINS, GROUPS, LEADS, TRAILS] = [1, 2, 4, 8, 16, 32, 64]

/** The role of each ASCII character in a word. */
const KINDS = new Uint8Array(128)
const mark = (characters: string, kind: number) => {
  for (const character of characters) KINDS[character.charCodeAt(0)] = (KINDS[character.charCodeAt(0)] ?? 0) | kind
}
mark('\t\n\v\f\r "\'`<>()[]{}|,;', BETWEEN)
mark('0123456789', DIGIT)
mark('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER)
mark('/?&=#:@\\', JOINS)
mark(' ./-', GROUPS)
mark('=:.!?*_-', LEADS)
mark('=:.!?*', TRAILS)
/** Blanks beyond ASCII. Any other such character may have a lower case. */
const isBlank = (code: number) =>
  code === 0xa0 ||
  code === 0xfeff ||
  (code >= 0x1680 &&
    (code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000))

/**
 * Parts of a text that may be one value: words between blanks and quotes, their components, and long numbers without grouping. At most
 * `most`; very long ones are split, so that nothing is lost. A single pass, since this runs for all that is read and for each call.
 */
export function wordsIn(text: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const words: string[] = []
  let start = -1
  let kinds = 0
  let grouped = false
  // Kinds of the two previous characters.
  let [before, last] = [0, 0]
  for (let at = 0; at <= text.length && words.length < most; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    const kind = code < 128 ? (KINDS[code] ?? 0) : isBlank(code) ? BETWEEN : UPPER
    if ((kind & DIGIT) !== 0 && (last & GROUPS) !== 0 && (before & DIGIT) !== 0) grouped = true
    before = last
    last = kind
    if ((kind & BETWEEN) === 0) {
      if (start < 0) [start, kinds] = [at, 0]
      kinds |= kind
    } else if (start >= 0) {
      addWord(words, text.slice(start, at), kinds)
      start = -1
    }
  }
  if (grouped) addGrouped(words, text)
  return words.length > most ? words.slice(0, most) : words
}

function addWord(words: string[], raw: string, kinds: number): void {
  const lower = (kinds & UPPER) === 0 ? raw : key(raw)
  let [from, to] = [0, lower.length]
  if ((kinds & LEADS) !== 0) {
    while (from < to && is(lower, from, LEADS)) from++
    while (to > from && is(lower, to - 1, TRAILS)) to--
  }
  if (to - from < 2) return
  const word = to - from === lower.length ? lower : lower.slice(from, to)
  keep(words, word)
  if ((kinds & JOINS) === 0 || !COMPOUND.test(word)) return
  for (const piece of word.split(/[/?&=#:\\]+/)) {
    if (piece.length > 1 && piece !== word) keep(words, piece)
    // An address may stand in another one: `mailto:ana@example.com`.
    if (piece.includes('@')) for (const part of piece.split('@')) if (part.length > 1) keep(words, part)
  }
}

function keep(words: string[], word: string): void {
  for (let at = 0; at < word.length; at += LONGEST) words.push(word.slice(at, at + LONGEST))
}

/** Joins successive short pieces with digits, to find a number that was split. */
export function joinedIn(text: string, most: number): readonly string[] {
  if (!/\d/.test(text)) return []
  const pieces = key(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const joined: string[] = []
  for (let from = 0; from < pieces.length && joined.length < most; from++) {
    let word = pieces[from] ?? ''
    for (let to = from + 1; to < pieces.length && word.length <= 40; to++) {
      const piece = pieces[to] ?? ''
      if (piece.length > 12 || word.length > 12 * (to - from)) break
      word += piece
      if (word.length >= 5 && /\d/.test(word)) joined.push(word)
    }
  }
  return joined
}

const is = (text: string, at: number, kind: number) => ((KINDS[text.charCodeAt(at)] ?? 0) & kind) !== 0

function addGrouped(words: string[], text: string): void {
  for (const [grouped] of text.matchAll(GROUPED)) {
    const number = key(grouped).replace(/[^a-z0-9]/g, '')
    if (number.length !== grouped.length && number.replace(/\D/g, '').length >= 7) words.push(number)
  }
}

const COMPOUND = /[/?&=#:@\\]/
/** `DE02 1203 0000 0020 2051`, `0151-552081`. */
const GROUPED = /\b[A-Za-z]{0,4}\d{1,8}(?:[ ./-]\d{1,8}){1,10}\b/g
