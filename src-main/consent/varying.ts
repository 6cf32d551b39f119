import type { Touch } from '../../src-shared/contract/consent.ts'

/** Values of a call that may be others in the next one. */
export const mayVary = (touch: Touch): touch is Extract<Touch, { is: 'value' | 'text' | 'item' }> =>
  touch.is === 'value' || touch.is === 'item' || (touch.is === 'text' && touch.fixed === true)

/** True if the calls that the person allowed, and this one, differ in this argument alone, but for items. */
export function variesAlone(touch: Touch, touches: readonly Touch[], calls: readonly (readonly Touch[])[]): boolean {
  const rest = (call: readonly Touch[]) =>
    JSON.stringify(
      call.flatMap(({ is, argument, value }) => (argument === touch.argument || is === 'item' ? [] : [argument, value])),
    )
  const own = rest(touches)
  const isOther = (one: Touch) => mayVary(one) && one.argument === touch.argument && one.value !== touch.value
  return calls.every((call) => rest(call) === own) && calls.some((call) => call.some(isOther))
}

/** Values of one row, and calls that it is compared with; more take long to look for. */
const [MOST, LATEST] = [4, 5]

/**
 * The values in which a call differs from one that the person allowed. Their message has those of both side by side, in the same
 * order: after “S1 88” of “S1 88, S2 92” the next row. `orderOf` gives the order of values in the message. Empty where it has none.
 */
export function dictatedRow(
  touches: readonly Touch[],
  calls: readonly (readonly Touch[])[],
  orderOf: (values: readonly string[]) => readonly number[] | undefined,
): readonly Touch[] {
  for (const call of calls.slice(-LATEST)) {
    if (call.length !== touches.length || !call.every(({ argument }, n) => argument === touches[n]?.argument)) continue
    const differing = touches.filter(({ value }, n) => value !== call[n]?.value)
    if (differing.length < 2 || differing.length > MOST || !differing.every(mayVary)) continue
    const order = orderOf(differing.map(({ value }) => value))
    const before = call.flatMap(({ value }, n) => (value === touches[n]?.value ? [] : [value]))
    if (order && order.join() === orderOf(before)?.join()) return differing
  }
  return []
}
