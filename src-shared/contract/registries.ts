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
  /** Entries that are not shown, because their names are none. */
  readonly leftOut: number
  /** The registry does not answer, and this is from then: milliseconds since 1970. */
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
  /** Tools that it has and its bundle does not name, and the other way round; absent before its first start. */
  readonly tools?: { readonly unnamed: readonly string[]; readonly missing: readonly string[] }
}

/** Says whose a package is. */
export interface PackageOwner {
  readonly confirmed: boolean
  /** Another entry's name that it gives. Rendered inert. */
  readonly says?: string
}
