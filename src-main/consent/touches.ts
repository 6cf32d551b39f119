import type { Touch } from '../../src-shared/contract/consent.ts'
import { wordSet, wordsOf } from './names.ts'

/** Kinds that only filter what a reading shows. */
export const isChoice = (touch: Touch) =>
  touch.is === 'option' || (touch.is === 'value' && touch.vague === true) || (touch.is === 'command' && touch.looks === true)

/** True for a switch that may show more than one place: `allNamespaces`, `includeDeleted`. */
export const widens = (touch: Touch) =>
  touch.is === 'option' && touch.value === 'true' && !wordsOf(touch.argument).every((word) => SHAPES.has(word))

/** True for a choice that every rule for a reading covers. */
export const isFreeChoice = (touch: Touch) => isChoice(touch) && !widens(touch)

/** Words of switches that only say how a reading is shown. */
const SHAPES =
  wordSet(`include show with details detail verbose full raw wide formula formulas previous reverse reversed ascending descending
  sorted pretty json html markdown text plain case sensitive insensitive ignore regex exact timestamps timestamp metadata body content diff
  head tail headers images compact short numbers line lines links size sizes only`)

/** Lower case where it cannot make one address of two: the Kelvin sign becomes a `k`. */
export const lowered = (address: string) => (/^[ -~]*$/.test(address) ? address.toLowerCase() : address)

/** The host or recipient that a call would reach. Another port, or a dot at the end, leads to the same one. */
export const addressee = (touch: Touch): string | undefined =>
  touch.is === 'recipient' ? touch.value : touch.is === 'host' ? touch.host.replace(/\.?(?::\d+)?$/, '') : undefined

/** The argument without its place in a list: `ids[3]` → `ids[]`. */
export const argumentKind = (argument: string) => argument.replace(/\[\d+\]/g, '[]')

/** The place of a call at its server: argument → value. */
export function touchedPlace({ touches }: { readonly touches: readonly Touch[] }): ReadonlyMap<string, string> {
  let place: Map<string, string> | undefined
  for (const touch of touches) {
    if (touch.is !== 'recipient' && (touch.is !== 'value' || touch.vague)) continue
    place ??= new Map()
    place.set(touch.argument, touch.value)
  }
  return place ?? NOWHERE
}
const NOWHERE: ReadonlyMap<string, string> = new Map()
