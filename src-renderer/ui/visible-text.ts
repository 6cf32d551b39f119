/** A character that is invisible or changes the order of others. */
interface Mark {
  /** For example `U+202E`. */
  readonly code: string
  readonly name: string
  readonly char: string
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00a0, 'no-break space'],
  [0x00ad, 'soft hyphen'],
  [0x034f, 'grapheme joiner'],
  [0x061c, 'Arabic letter mark'],
  [0x115f, 'Hangul filler'],
  [0x1160, 'Hangul filler'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'end of embedding'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'end of isolate'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'byte order mark'],
  [0xffa0, 'Hangul filler'],
])

const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|\u034F|\u115F|\u1160|\u3164|\uFFA0|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]|(?! )\p{Zs}/u
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu')
/** Most texts match this, ten times faster than the search below. */
const PLAIN = /^[\n\r\t\x20-\x7e]*$/
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u

/** Line breaks and tabs are layout; joiners and variation selectors belong to their emoji. */
function belongs(char: string, before: string | undefined, after: string | undefined): boolean {
  if (char === '\n' || char === '\t' || char === '\r') return true
  if (char === '\u{FE0F}') return before !== undefined && (PICTURE.test(before) || /[0-9#*]/.test(before))
  if (char !== '\u{200D}') return false
  return before !== undefined && after !== undefined && (PICTURE.test(before) || before === '\u{FE0F}') && PICTURE.test(after)
}

function nameOf(point: number): string {
  const name = NAMES.get(point)
  if (name) return name
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 'control character'
  if (point >= 0xd800 && point <= 0xdfff) return 'half a character'
  if (point >= 0xe0000 && point <= 0xe007f) return 'hidden tag character'
  if ((point >= 0xfe00 && point <= 0xfe0f) || point >= 0xe0100) return 'variation selector'
  return 'invisible character'
}

/** Splits a text into readable parts and marks. A text without hidden characters is one part. */
export function visibleParts(text: string): readonly (string | Mark)[] {
  if (PLAIN.test(text)) return text === '' ? [] : [text]
  const parts: (string | Mark)[] = []
  let from = 0
  for (const { 0: char, index } of text.matchAll(ALL_HIDDEN)) {
    const end = index + char.length
    if (belongs(char, charBefore(text, index), charAt(text, end))) continue
    if (index > from) parts.push(text.slice(from, index))
    const point = char.codePointAt(0) ?? 0
    parts.push({ code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}`, name: nameOf(point), char })
    from = end
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

function charAt(text: string, at: number): string | undefined {
  const point = text.codePointAt(at)
  return point === undefined ? undefined : String.fromCodePoint(point)
}

function charBefore(text: string, at: number): string | undefined {
  const pair = at > 1 ? charAt(text, at - 2) : undefined
  return pair?.length === 2 ? pair : text[at - 1]
}

/** The visible parts as one string, for attributes and titles. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (typeof part === 'string' ? part : `⟨${part.code}⟩`))
    .join('')
}
