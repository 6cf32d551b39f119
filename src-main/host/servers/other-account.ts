import type { ServerSignIn } from '../../../src-shared/contract/authorization.ts'

type SignedIn = ServerSignIn['is'] | undefined

/** A sign-in ended well, or what was kept of one is gone; one that is under way changes nothing yet (V26-CACHE-7). */
export function isOtherAccount(before: SignedIn, now: SignedIn): boolean {
  if (before === now || now === 'asking' || now === 'waiting') return false
  return now === 'signed-in' || before === 'signed-in'
}
