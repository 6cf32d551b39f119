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
