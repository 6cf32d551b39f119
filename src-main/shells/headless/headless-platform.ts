import { totalmem } from 'node:os'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { Platform } from '../../host/core/platform.ts'
import { version } from '../version.ts'

/** The platform of a run without a window: nothing is opened, and nothing is confirmed. */
export function headlessPlatform(): Platform {
  const unavailable = (): never => {
    throw new HostError('unavailable', 'This needs a window. Open Parley to do it.')
  }
  return {
    shell: 'web',
    version,
    os: process.platform,
    memory: totalmem(),
    openExternal: async () => unavailable(),
    blobLink: unavailable,
  }
}
