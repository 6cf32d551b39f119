import { z } from 'zod'
import { blobRef } from './blobs.ts'
import { type Given, line } from './schema-parts.ts'

/** Bytes of a view's page. */
export const APP_PAGE_LIMIT = 4 * 1024 * 1024
/** Domains of one kind. */
export const APP_DOMAINS = 32
/** Bytes of what a view tells the model. */
export const APP_CONTEXT_LIMIT = 16 * 1024
/** Bytes of one message between a view and the page. */
export const APP_MESSAGE_LIMIT = 1024 * 1024

/** Content security policy sources by the resource's `_meta.ui.csp`, each an origin that was checked (MCP Apps 2026-01-26, UIResourceMeta). */
export type AppDomains = Given<typeof appDomains>
const appDomains = () =>
  z.object({
    connect: z.array(line()).max(APP_DOMAINS),
    resource: z.array(line()).max(APP_DOMAINS),
  })

/** The view of a finished call: its page and result as they were, so that it opens without its server. */
export type CallApp = Given<typeof callApp>
export const callApp = () =>
  z.discriminatedUnion('is', [
    z.object({
      is: z.literal('kept'),
      uri: line(),
      page: blobRef(),
      /** Keyed hash of the launch that made the call; the view's own calls go to no other (decision 0007). */
      launch: line().exactOptional(),
      /** The tool's result as JSON. */
      result: blobRef(),
      domains: appDomains(),
      /** Declared domains that are not allowed. */
      refused: z.array(line()).max(APP_DOMAINS).exactOptional(),
      /** The page differs from that of the last call of this tool. */
      changed: z.literal(true).exactOptional(),
    }),
    /** Why there is none, as a sentence. */
    z.object({ is: z.literal('missing'), why: line() }),
  ])

/**
 * The origin of a view's page in the web shell: a name of this computer of its own, which browsers take for another site. So it gets a
 * process of its own, and one that hangs stops no other. `page` is our own origin.
 */
export const viewOrigin = (view: string, page: string) => page.replace('127.0.0.1', `${view}.localhost`)

/** A view that was opened. Its address works once. */
export interface OpenedApp {
  readonly is: 'opened'
  readonly view: string
  readonly path: string
  readonly tool: string
  readonly arguments: unknown
  readonly result: unknown
  /** Hosts that it declared, and whether the person lets it load from them. */
  readonly hosts: readonly string[]
  readonly network: boolean
  /** Its calls reach the launch that made the call alone. */
  readonly server: 'connected' | 'away' | 'another'
}

/** The hosts that a view wants to load from, before the person has allowed or refused it. */
export interface AppNetworkAsked {
  readonly is: 'asks'
  readonly hosts: readonly string[]
}
