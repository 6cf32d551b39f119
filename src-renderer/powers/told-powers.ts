import { onlyReads, type Power } from '../../src-shared/contract/consent.ts'

/** All powers that follow from the one a person chose for a tool. */
export const toldPowers = (power: Power): readonly Power[] =>
  onlyReads([power]) ? ['reads', 'brings-in'] : power === 'changes' ? ['reads', 'changes'] : ['reads', 'changes', power]
