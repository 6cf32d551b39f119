import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import { useHost } from '../state/host-store.ts'

/** Where a secret goes that is entered now, to be said before it is saved: "It is kept …". */
export function useSecretPlace(): string {
  return useHost((mirror) => placeOf(mirror.host))
}

function placeOf({ secretsIn, shell }: HostSnapshot): string {
  if (secretsIn === 'key-store') return 'in the key store of this system'
  const file = 'unencrypted in a file that only your account can read'
  return shell === 'electron' ? `${file}, since this system has no key store` : file
}
