import { totalmem } from 'node:os'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { Platform } from '../../host/core/platform.ts'
import type { BlobLinks } from '../blob-links.ts'
import { version } from '../version.ts'
import { openWithSystem } from './browser.ts'

/** The platform of a browser page. Folders are picked in the page, since the host's machine may have no screen. */
export function webPlatform(links: BlobLinks): Platform {
  return {
    shell: 'web',
    version,
    os: process.platform,
    memory: totalmem(),
    async openExternal(url) {
      if (URL.parse(url)?.protocol !== 'https:') throw new HostError('refused', 'Only https links can be opened.')
      if (await openWithSystem(url, process.platform, process.env)) return
      throw new HostError('unavailable', 'Parley cannot open a browser where it runs. Copy the address into yours.')
    },
    blobLink: (blob, mimeType, name) => links.path(blob, mimeType, name),
  }
}
