import type { Browser, Page } from 'playwright'
import type { HostClient } from './host-client.ts'

export type ShellKind = 'web' | 'electron'

export interface ShellOptions {
  /** Kept by the caller; a temporary one, removed at the end, unless given. */
  readonly folder?: string
  /** Runs before the first start: write mcp.json, seed conversations. */
  readonly prepare?: (folder: string) => Promise<void> | void
  /** Added to the shell's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Starts as a person does, through `npm start` (web shell only). */
  readonly npm?: boolean
  /** A script that Node runs instead of the build's (web shell only). */
  readonly script?: string
  /** From inside an archive, as a package has it (the double only). */
  readonly packaged?: boolean
  /** Stands before the program on the command line (web shell only). */
  readonly under?: (folder: string) => readonly [string, ...string[]]
  /** Behind its own on the command line (the double only). */
  readonly args?: readonly string[]
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Where its pages have a context of their own; a browser that ends with the shell unless given. */
  readonly browser?: () => Promise<Browser>
}

/** A built shell on a data folder, and the page that it shows. */
export interface RunningShell {
  readonly kind: ShellKind
  readonly folder: string
  /** The present one; another after `restart`. */
  readonly page: Page
  readonly pid: number
  /** Console errors and uncaught errors of every page so far. A test ends with none, unless it forgives them. */
  readonly pageErrors: readonly string[]
  /** Those that nobody forgave. */
  readonly faults: readonly string[]
  /** For a test that provokes them: they are no fault of this shell. */
  forgivePageErrors(): void
  /** Everything that the shell has printed. */
  output(): string
  /** A second window on the same host. */
  openWindow(): Promise<Page>
  /** A window without a page, for what a test needs but does not show, while `use` runs; nothing on the desktop, which has one window. */
  aside(use: (window: HostClient) => Promise<void>): Promise<boolean>
  /** Presses Allow or Deny in the question "Start this server?" or "Start these 3 servers?" that the page shows, and in the native box where there is one. */
  trustServer(answer: 'allow' | 'deny'): Promise<void>
  /** The next native box is answered with its second button: Allow. Nothing on a shell that has none. */
  allowInBox(): Promise<void>
  /** Ends it as a person would; resolves with the exit code. */
  quit(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill9(): Promise<void>
  /** Starts it again on the same folder, quitting first when it still runs; resolves with the new page. */
  restart(): Promise<Page>
  /** Quits, closes browsers, removes a temporary folder. */
  dispose(): Promise<void>
}
