import { key } from './words.ts'

/** Characters of a message that is searched, and between the first and the last value. */
const [LONGEST, APART] = [20_000, 80]
/** Occurrences of a value. */
const MANY = 20

interface Place {
  readonly from: number
  readonly to: number
}

/**
 * The order in which a message has one spelling of each value side by side, as in “S1 88, S2 92”: in one part of a sentence, with no other
 * number between them. Undefined where it does not, or where none of them is or has a number, since words alone could be paired otherwise.
 */
export function dictatedOrder(message: string, values: readonly (readonly string[])[]): readonly number[] | undefined {
  if (message.length > LONGEST) return undefined
  const text = key(message)
  const places = values.map((spellings) => spellings.flatMap((spelling) => placesOf(text, key(spelling))))
  const chosen = choose(text, places, [])
  return chosen?.map((_, n) => n).sort((a, b) => (chosen[a]?.from ?? 0) - (chosen[b]?.from ?? 0))
}

/** A place for each value, so that all stand together. At most four values are looked for, so this goes no deeper. */
function choose(text: string, places: readonly (readonly Place[])[], chosen: readonly Place[]): readonly Place[] | undefined {
  const next = places[chosen.length]
  if (!next) return standTogether(text, chosen) ? chosen : undefined
  for (const place of next) {
    if (!chosen.every(({ from, to }) => place.to <= from || place.from >= to)) continue
    if (chosen.some(({ from }) => Math.abs(from - place.from) > 3 * APART)) continue
    const found = choose(text, places, [...chosen, place])
    if (found) return found
  }
  return undefined
}

function standTogether(text: string, places: readonly Place[]): boolean {
  if (!places.some(({ from, to }) => DIGIT.test(text.slice(from, to)))) return false
  const ordered = places.toSorted((a, b) => a.from - b.from)
  const between = ordered.slice(1).map(({ from }, n) => text.slice(ordered[n]?.to, from))
  return between.join('').length <= APART && !between.some((part) => DIGIT.test(part) || ENDS.test(part))
}

function placesOf(text: string, value: string): readonly Place[] {
  const places: Place[] = []
  if (value === '') return places
  for (let from = text.indexOf(value); from >= 0 && places.length < MANY; from = text.indexOf(value, from + 1)) {
    const to = from + value.length
    if (
      !isCut(text.slice(Math.max(0, from - 2), from), value.slice(0, 1)) &&
      !isCutAfter(value.slice(-1), text.slice(to, to + 2))
    )
      places.push({ from, to })
  }
  return places
}

/** True for a part of a longer word or number: the `1` of `S1`, the `7` of `7,1`. */
const isCut = (before: string, first: string) =>
  (WORDY.test(before.slice(-1)) && WORDY.test(first)) || (DIGIT.test(first) && /\p{N}[.,:/-]$/u.test(before))
const isCutAfter = (last: string, after: string) =>
  (WORDY.test(last) && WORDY.test(after.slice(0, 1))) || (DIGIT.test(last) && /^[.,:/-]\p{N}/u.test(after))

const DIGIT = /\p{N}/u
/** Characters of words that blanks separate. */
const WORDY =
  /[\p{N}_\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}]/u
/** The end of a part of a sentence. */
const ENDS = /[\n\r;!?、。，；！？]|[,.](?=\s|$)/u

/** The ways a person may write a value: `7.1` as `7,1`, `08:20` as `8:20`, `7` as `7.0`. */
export function spellingsOf(value: string): readonly string[] {
  if (/^\d+\.\d+$/.test(value)) return [value, value.replace('.', ',')]
  if (/^0\d:\d\d$/.test(value)) return [value, value.slice(1)]
  if (/^\d+$/.test(value)) return [value, `${value}.0`, `${value},0`]
  return [value]
}

/** Values of an enumeration. */
const MOST = 30

/**
 * The other values of the enumerations in which a message has a value: `QK-2` and `QK-3` for `QK-1` in “QK-1, QK-2 and QK-3”. All have the
 * form of the first, and a digit or a capital letter. None if it stands elsewhere in the message, too, since that may say something else.
 */
export function listedBeside(message: string, value: string): readonly string[] {
  if (message.length > LONGEST || value.length > 64) return []
  const runs: { readonly shape: string; readonly words: string[]; end: number; and: 'none' | 'next' | 'past' }[] = []
  for (const { 0: word, index } of message.matchAll(WORD)) {
    const shape = shapeOf(word)
    const end = index + word.length
    const last = runs.at(-1)
    const gap = last ? message.slice(last.end, index) : ''
    if (last && last.and !== 'next' && AND.has(key(word)) && /^,?\s+$/.test(gap)) {
      last.and = 'next'
      last.end = end
    } else if (
      last?.shape === shape &&
      (last.and === 'next' ? /^\s+$/ : last.and === 'none' ? /^\s*[,،、]\s*$/ : /^$/).test(gap)
    ) {
      last.words.push(word)
      last.end = end
      // After “and” follows nothing but another “and”: “41 and 42, 43 stays”.
      if (last.and === 'next') last.and = 'past'
    } else runs.push({ shape, words: [word], end, and: 'none' })
  }
  const isOwn = (word: string) => key(word) === key(value)
  const found = runs.filter(({ words }) => words.some(isOwn))
  const [run] = found
  if (found.length !== 1 || !run || !/9|^Aa$/.test(run.shape) || run.words.length > MOST) return []
  return run.words.filter((word) => !isOwn(word))
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:[-_/.:#][\p{L}\p{M}\p{N}]+)*/gu

/** `A-9` for `QK-12`, `Aa` for `Ben`. */
const shapeOf = (word: string) =>
  word
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/[\p{Ll}\p{Lo}\p{Lm}\p{M}]+/gu, 'a')
    .replace(/\p{N}+/gu, '9')

/** Words that join the last of several; any other word between them may except it. */
const AND = new Set(
  'and und et y e og och ja un at i и і й та en a ve dan na ir és și si και و と 和 및 और u oraz plus & oder or ou o eller tai'.split(
    ' ',
  ),
)
