import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../../src-shared/contract/projects.ts'

export type ListFolder = (path: string | undefined, signal: AbortSignal) => Promise<FolderListing>

export interface FolderFinding {
  /** The text of the field. A listing that arrives does not replace newer typing. */
  readonly typed: string
  readonly listing?: FolderListing
  /** The reason why the last requested folder could not be listed. */
  readonly problem?: string
}

/** Goes from folder to folder. Only the answer to the newest request counts, and newer typing stays. */
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

  /** Lists a folder; without a path, the one that the host suggests. Resolves to undefined when it cannot be listed. */
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

  /** Opens the path in the field. */
  go(): Promise<FolderListing | undefined> {
    return this.open(this.#finding.typed.trim() || undefined)
  }

  /** The chosen folder: the listed one, or the one typed since, if it exists. */
  async choose(): Promise<string | undefined> {
    const { typed, listing, problem } = this.#finding
    if (listing && problem === undefined && typed.trim() === listing.path) return listing.path
    return (await this.go())?.path
  }

  /** Drops the pending request and its answer. */
  end(): void {
    this.#asking?.abort()
    this.#asking = undefined
  }

  #tell(finding: FolderFinding): void {
    this.#finding = finding
    this.#show(finding)
  }
}
