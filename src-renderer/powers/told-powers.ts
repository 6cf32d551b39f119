import { onlyReads, type Power } from '../../src-shared/contract/consent.ts'

/** The powers of a tool of which a person says that it has this one. */
export const toldPowers = (power: Power): readonly Power[] =>
  onlyReads([power]) ? ['reads', 'brings-in'] : power === 'changes' ? ['reads', 'changes'] : ['reads', 'changes', power]
