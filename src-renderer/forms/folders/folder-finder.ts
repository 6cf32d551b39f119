import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../../src-shared/contract/projects.ts'

export type ListFolder = (path: string | undefined, signal: AbortSignal) => Promise<FolderListing>

export interface FolderFinding {
  /** The text of the field. It is the person's: a listing that arrives leaves newer typing alone. */
  readonly typed: string
  readonly listing?: FolderListing
  /** Why the folder that was asked for last could not be listed. */
  readonly problem?: string
}

/** Goes from folder to folder: only the newest question is heard, and nothing that was typed since is lost. */
export class FolderFinder {
  readonly #list: ListFolder
  readonly #show: (finding: FolderFinding) => void
  #finding: FolderFinding
  #asking: AbortController | undefined
  #edited = false

  constructor(list: ListFolder, start: string, show: (finding: FolderFinding) => void) {
    this.#list = list
    this.#show = show
    this.#finding = { typed: start }
  }

  type(typed: string): void {
    this.#edited = true
    this.#tell({ ...this.#finding, typed })
  }

  /** Lists a folder, the host's suggestion without a path. Resolves to the folder that is shown now; undefined when it cannot be. */
  async open(path: string | undefined): Promise<FolderListing | undefined> {
    this.end()
    const asking = new AbortController()
    this.#asking = asking
    this.#edited = false
    try {
      const listing = await this.#list(path, asking.signal)
      if (asking.signal.aborted) return undefined
      this.#tell({ typed: this.#edited ? this.#finding.typed : listing.path, listing })
      return listing
    } catch (error) {
      if (asking.signal.aborted) return undefined
      this.#tell({ ...this.#finding, problem: error instanceof HostError ? error.message : 'The folder could not be read.' })
      return undefined
    }
  }

  /** Opens what stands in the field. */
  go(): Promise<FolderListing | undefined> {
    return this.open(this.#finding.typed.trim() || undefined)
  }

  /** The folder to take: the one that is shown, or the one that was typed since, once it turns out to be there. */
  async choose(): Promise<string | undefined> {
    const { typed, listing, problem } = this.#finding
    if (listing && problem === undefined && typed.trim() === listing.path) return listing.path
    return (await this.go())?.path
  }

  /** Nothing that was asked is heard of any more. */
  end(): void {
    this.#asking?.abort()
    this.#asking = undefined
  }

  #tell(finding: FolderFinding): void {
    this.#finding = finding
    this.#show(finding)
  }
}
