import type { Power } from '../../../src-shared/contract/consent.ts'

/** A published server by its launch (`publishedPackage`), with what each of its tools can do at worst, whatever its hints say. */
export interface KnownServer {
  /** On npm; else with `pypi:` or `docker:` in front, or the address of one that is hosted (`publishedAddress`). */
  readonly name: string
  /** Other names of the same server. */
  readonly also?: readonly string[]
  /** The package that these tools were read from. Absent where they were read from documentation. */
  readonly version?: string
  readonly source: 'listed by the package' | 'its documentation'
  /** Arguments that name a file to be written: with one of them any call of this server changes, too. */
  readonly writes?: readonly string[]
  /** Tools of a browser whose results state which page it shows: “- Page URL: …” on a line of its own. */
  readonly pages?: readonly string[]
  readonly tools: Readonly<Record<string, readonly Power[]>>
}
