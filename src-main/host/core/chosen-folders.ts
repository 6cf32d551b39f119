import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../../src-shared/contract/projects.ts'
import { readFolder } from '../../storage/folder-listing.ts'
import type { Platform } from './platform.ts'

/**
 * Folders that the person chose in the system's own dialog. Where the shell has that dialog, the page cannot name any other folder: a
 * page that was taken over could read there. A shell without one takes what the page names.
 */
export class ChosenFolders {
  readonly #pick: Platform['pickFolder']
  readonly #pickFile: Platform['pickFile']
  readonly #chosen = new Set<string>()

  constructor({ pickFolder, pickFile }: Pick<Platform, 'pickFolder' | 'pickFile'>) {
    this.#pick = pickFolder
    this.#pickFile = pickFile
  }

  /** The path of a file for a server’s setting, which gives nobody access to it. Null when the person cancelled. */
  async pickFile(title: string): Promise<string | null> {
    if (!this.#pickFile) throw new HostError('unavailable', 'Choose the file in the page.')
    return this.#pickFile(title)
  }

  /** Null when the person cancelled. */
  async pick(title: string): Promise<string | null> {
    if (!this.#pick) throw new HostError('unavailable', 'Choose the folder in the page.')
    const path = await this.#pick(title)
    if (path !== null) this.#chosen.add(path)
    return path
  }

  /** Lists a folder for the page's own dialog. Throws HostError `refused` where the shell has one, so that no page can look around. */
  async list(path: string | undefined, files = false): Promise<FolderListing> {
    if (this.#pick) throw new HostError('refused', 'Choose the folder in the system’s dialog.')
    return readFolder(path, files)
  }

  has(path: string): boolean {
    return this.#pick === undefined || this.#chosen.has(path)
  }

  /** Throws HostError `refused` for a folder that the person did not choose. */
  check(path: string): void {
    if (!this.has(path)) throw new HostError('refused', notChosen(path))
  }
}

export const notChosen = (path: string) => `“${path.slice(0, 200)}” was not chosen in the system’s dialog. Choose it there.`
