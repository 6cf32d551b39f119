import { type Check, type CheckId, COMMON_CHECKS, LOCAL_CHECKS, REMOTE_CHECKS } from '../../../src-shared/contract/doctor.ts'
import type { Launch } from '../../../src-shared/contract/servers.ts'

export const CHECK_TITLES: Readonly<Record<CheckId, string>> = {
  allowed: 'Allowed',
  command: 'Command',
  runtime: 'Runtime',
  process: 'Program',
  download: 'Download',
  address: 'Address',
  name: 'DNS lookup',
  proxy: 'Proxy',
  certificate: 'Certificate',
  clock: 'Clock',
  answer: 'Answer',
  handshake: 'Handshake',
  version: 'Protocol version',
  'sign-in': 'Sign-in',
  lists: 'Lists',
  offered: 'Tools',
}

export type CheckState = Check['state'] | 'looking'

export const STATE_LABELS: Readonly<Record<CheckState, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  warning: 'Warning',
  'not-reached': 'Not checked',
  looking: 'Checking',
}

/** The checks of a launch, before their results. */
export function checksOf({ type }: Launch): readonly CheckId[] {
  return [...{ local: LOCAL_CHECKS, remote: REMOTE_CHECKS, 'built-in': [] }[type], ...COMMON_CHECKS]
}
