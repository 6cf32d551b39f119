import { POWERS, type Power, type PowersKnown } from '../../src-shared/contract/consent.ts'
import type { ToolHints } from '../../src-shared/contract/servers.ts'

export const POWER_LABELS: Readonly<Record<Power, string>> = {
  reads: 'Reads',
  'brings-in': 'Reads others’ words',
  changes: 'Changes',
  destroys: 'Destroys',
  sends: 'Sends out',
  spends: 'Spends',
}

/** A power that is only the worst guess. */
export const POSSIBLE_LABELS: Readonly<Record<Power, string>> = {
  reads: 'May read',
  'brings-in': 'May read others’ words',
  changes: 'May change',
  destroys: 'May destroy',
  sends: 'May send out',
  spends: 'May spend',
}

export const KNOWN_LABELS: Readonly<Record<PowersKnown, string>> = {
  protocol: 'Defined by the protocol.',
  published: 'From the list of known servers.',
  'trusted-hints': 'From the server’s hints, which you trust.',
  accepted: 'Guessed from its name, and accepted by you.',
  told: 'You said so. Guards still apply.',
  'told-more': 'You said so. For the rest, the worst is assumed.',
  named: 'Guessed from its name.',
  unknown: 'Unknown: the worst is assumed.',
}

/** True if the powers were stated by someone accountable; all others are guesses. */
export const isVerified = (known: PowersKnown) => known === 'protocol' || known === 'published' || known === 'trusted-hints'

/** Sorted from the mildest. */
export const inOrder = (powers: readonly Power[]) => POWERS.filter((power) => powers.includes(power))

interface HintBadge {
  readonly word: string
  readonly chip: string
}

/** The annotations of a tool as badges; the worst is assumed for what they leave out (TOOL-11, TOOL-13). */
export function hintBadges({ readOnly, destructive, idempotent, openWorld }: ToolHints): readonly HintBadge[] {
  const effect: HintBadge = readOnly
    ? { word: 'Read-only', chip: 'chip' }
    : destructive
      ? { word: 'Destructive', chip: 'chip chip-fail' }
      : { word: 'Additive', chip: 'chip' }
  return [
    effect,
    ...(!readOnly && idempotent ? [{ word: 'Idempotent', chip: 'chip' }] : []),
    { word: openWorld ? 'Open world' : 'Closed world', chip: 'chip' },
  ]
}
