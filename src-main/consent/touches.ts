import type { Touch } from '../../src-shared/contract/consent.ts'

/** What only chooses among what a reading shows. */
export const isChoice = (touch: Touch) =>
  touch.is === 'option' || (touch.is === 'value' && touch.vague === true) || (touch.is === 'command' && touch.looks === true)

/** Where at its server a call is, for telling one place from another: argument → value. */
export function placeOf({ touches }: { readonly touches: readonly Touch[] }): ReadonlyMap<string, string> {
  return new Map(
    touches.flatMap((touch) =>
      (touch.is === 'value' && !touch.vague) || touch.is === 'recipient' ? [[touch.argument, touch.value] as const] : [],
    ),
  )
}
