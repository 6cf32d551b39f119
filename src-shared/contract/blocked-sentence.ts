import type { BlockedReach } from './servers.ts'

/** A fence's own refusal is a fact; what an error of the server says is a guess, and is called one. */
export function blockedSentence({ kind, name, guessed }: Pick<BlockedReach, 'kind' | 'name' | 'guessed'>): string {
  const what = kind === 'network' ? 'the network' : name
  return guessed ? `It may have needed ${what}, which its fence blocks.` : `Its fence kept it from ${what}.`
}
