import { useHost } from '../state/host-store.ts'

/** The place where a new secret is saved, to end a sentence that begins "It is kept". */
export function useSecretPlace(): string {
  const secretsIn = useHost((mirror) => mirror.host.secretsIn)
  const shell = useHost((mirror) => mirror.host.shell)
  if (secretsIn === 'key-store') return 'in the key store of this system'
  const file = 'unencrypted in a file that only your account can read'
  return shell === 'electron' ? `${file}, since this system has no key store` : file
}
