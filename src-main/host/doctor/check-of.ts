import type { CheckId } from '../../../src-shared/contract/doctor.ts'

/** Which check a problem of this code fails; whatever is not named here failed while the two came to terms. */
const CHECK_OF: Readonly<Record<string, CheckId>> = {
  ...{ 'bad-config': 'allowed', 'secret-missing': 'allowed', 'secret-elsewhere': 'allowed' },
  ...{ 'command-not-found': 'command', 'spawn-failed': 'command' },
  ...{ exited: 'process', ended: 'process' },
  ...{ refused: 'address', unreachable: 'answer', 'http-407': 'proxy' },
  ...{ version: 'version', 'sign-in': 'sign-in', 'http-401': 'sign-in', 'http-403': 'sign-in' },
}

export const checkOf = (code: string): CheckId => CHECK_OF[code] ?? (code.startsWith('http-') ? 'answer' : 'handshake')
