import type { CheckId } from '../../../src-shared/contract/doctor.ts'

/** The codes of problems, by the check that they fail. */
const CODES: readonly (readonly [CheckId, string])[] = [
  ['allowed', 'bad-entry secret-missing secret-elsewhere'],
  [
    'command',
    'command-not-found not-a-program not-executable folder-missing wrong-architecture no-shebang spawn-failed windows-script',
  ],
  ['runtime', 'no-interpreter runtime-missing runtime-old docker-stopped'],
  ['download', 'package-missing download-failed'],
  [
    'process',
    'exited ended variable-missing key-missing bad-arguments program-missing module-missing file-missing no-permission no-terminal',
  ],
  ['process', 'its-connection-refused its-name-unknown its-certificate its-key-rejected port-in-use disk-full'],
  ['address', 'refused not-encrypted redirected'],
  ['name', 'name-unknown'],
  ['proxy', 'proxy-sign-in proxy-refused proxy-unreachable'],
  ['clock', 'clock-off'],
  ['certificate', 'certificate-self-signed certificate-authority certificate-expired certificate-early certificate-name no-tls'],
  ['answer', 'port-closed no-way unreachable web-page stream-held-back session-lost'],
  ['sign-in', 'sign-in no-sign-in key-rejected http-401 http-403'],
  ['version', 'version'],
]

const CHECK_OF = new Map(CODES.flatMap(([id, codes]) => codes.split(' ').map((code) => [code, id] as const)))

/** Which check a problem of this code fails; whatever is not named here failed while the two came to terms. */
export const checkOf = (code: string): CheckId => CHECK_OF.get(code) ?? (code.startsWith('http-') ? 'answer' : 'handshake')
