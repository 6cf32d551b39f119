import type { Touch } from '../../src-shared/contract/consent.ts'

/** Kinds that only filter what a reading shows. */
export const isChoice = (touch: Touch) =>
  touch.is === 'option' || (touch.is === 'value' && touch.vague === true) || (touch.is === 'command' && touch.looks === true)

/** Lower case where it cannot make one address of two: the Kelvin sign becomes a `k`. */
export const lowered = (address: string) => (/^[ -~]*$/.test(address) ? address.toLowerCase() : address)

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
