import { z } from 'zod'
import type { ServerId } from './ids.ts'
import { type Given, text } from './schema-parts.ts'

/** Addresses of registries in the settings. None by default. */
export const MAX_REGISTRIES = 8
export const registryAddress = () => text(2048)

export type RegistrySearch = Given<typeof registrySearch>
export const registrySearch = () =>
  z.strictObject({
    registry: registryAddress(),
    words: text(200),
    /** Opaque, as the page before gave it. */
    cursor: text(4096).exactOptional(),
  })

/** The newest version of a server in a registry. Everything in it is a stranger's claim, rendered inert. */
export interface RegistryEntry {
  /** The publisher's reversed domain, then the server. */
  readonly name: string
  readonly title?: string
  readonly version: string
  readonly description: string
  /** `unknown` where the registry does not say. Deleted ones are left out. */
  readonly status: 'active' | 'deprecated' | 'unknown'
  readonly statusMessage?: string
  /** “npm @ann/notes”, “address example.com”. */
  readonly ways: readonly string[]
  readonly website?: string
  /** Sentences about names that look alike. */
  readonly warnings: readonly string[]
  /** The server here that came from this entry, and its version. */
  readonly installed?: { readonly serverId: ServerId; readonly version: string }
}

export interface RegistryPage {
  readonly entries: readonly RegistryEntry[]
  readonly next?: string
  /** Entries that are not shown, because their names are invalid. */
  readonly leftOut: number
  /** Set when the registry does not answer: the time of this earlier answer, in milliseconds since 1970. */
  readonly staleSince?: number
}

/** Facts about the origin of an installed server. All but the hash is a claim. */
export interface ServerOrigin {
  readonly bundle?: {
    readonly title: string
    readonly version: string
    readonly publisher: string
    readonly source: string
    readonly sha256: string
    /** Milliseconds since 1970. */
    readonly at: number
  }
  readonly registry?: { readonly address: string; readonly name: string; readonly version: string }
  /** The version before the last update, which one click brings back. */
  readonly before?: string
  /** Tools that only the server or only its bundle names; absent before its first start. */
  readonly tools?: { readonly unnamed: readonly string[]; readonly missing: readonly string[] }
}

/** The owner of a package, as its registry names it. */
export interface PackageOwner {
  readonly confirmed: boolean
  /** The name of another entry that the package claims to be. Rendered inert. */
  readonly says?: string
}
