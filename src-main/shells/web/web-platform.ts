import type { Platform } from '../../host/platform.ts'
import type { BlobLinks } from '../blob-links.ts'
import { version } from '../version.ts'

/** What a plain browser page can lend. Folders are picked and links opened in the page: the host may be on another machine. */
export function webPlatform(links: BlobLinks): Platform {
  return {
    shell: 'web',
    version,
    os: process.platform,
    async openExternal() {
      throw new Error('In the browser a link opens from the page')
    },
    blobLink: (blob, mimeType) => links.path(blob, mimeType),
  }
}
