import type { ServerSignIn } from '../../../src-shared/contract/authorization.ts'

type SignedIn = ServerSignIn['is'] | undefined

/** True after a sign-in or sign-out; a sign-in under way changes nothing yet (V26-CACHE-7). */
export function isOtherAccount(before: SignedIn, now: SignedIn): boolean {
  if (before === now || now === 'asking' || now === 'waiting') return false
  return now === 'signed-in' || before === 'signed-in'
}
