import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../../src-shared/contract/projects.ts'
import { readFolder } from '../../storage/folder-listing.ts'
import type { Platform } from '../core/platform.ts'

/** For the page's own dialog "Choose a folder": refused where the shell has one, so that no page looks around there. */
export async function listFolder(platform: Platform, path: string | undefined): Promise<FolderListing> {
  if (platform.pickFolder) throw new HostError('refused', 'Choose the folder in the system’s dialog.')
  return readFolder(path)
}
