import { HostError } from '../../../src-shared/contract/errors.ts'
import type { Platform } from '../../host/core/platform.ts'
import type { BlobLinks } from '../blob-links.ts'
import { version } from '../version.ts'
import { hand } from './browser.ts'

/** The platform of a plain browser page. Folders are picked in the page; the host may be on a machine without a screen. */
export function webPlatform(links: BlobLinks): Platform {
  return {
    shell: 'web',
    version,
    os: process.platform,
    async openExternal(url) {
      if (URL.parse(url)?.protocol !== 'https:') throw new HostError('refused', 'Only https links can be opened.')
      if (await hand(url, process.platform, process.env)) return
      throw new HostError('unavailable', 'Parley runs where no browser can open. Copy the address into yours.')
    },
    blobLink: (blob, mimeType, name) => links.path(blob, mimeType, name),
  }
}
