import type { Browser, Page } from 'playwright'
import type { HostClient } from './host-client.ts'

export type ShellKind = 'web' | 'electron'

export interface ShellOptions {
  /** The caller keeps it; the default is a temporary folder that is removed at the end. */
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
  /** Comes before the program on the command line (web shell only). */
  readonly under?: (folder: string) => readonly [string, ...string[]]
  /** Comes after its own arguments on the command line (the double only). */
  readonly args?: readonly string[]
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Browser of its pages; the default is one that ends with the shell. */
  readonly browser?: () => Promise<Browser>
}

/** A built shell on a data folder, and the page that it shows. */
export interface RunningShell {
  readonly kind: ShellKind
  readonly folder: string
  /** Differs after `restart`. */
  readonly page: Page
  readonly pid: number
  /** Console errors and uncaught errors of every page so far. A test ends with none, unless it forgives them. */
  readonly pageErrors: readonly string[]
  /** Errors that were not forgiven. */
  readonly faults: readonly string[]
  /** Ignores errors that a test provokes. */
  forgivePageErrors(): void
  /** The shell's whole output. */
  output(): string
  /** A second window on the same host. */
  openWindow(): Promise<Page>
  /** Opens a window without a page while `use` runs. Does nothing on the desktop, which has one window. */
  aside(use: (window: HostClient) => Promise<void>): Promise<boolean>
  /** Presses Allow or Deny in the question about starting servers, and in the native box if the shell has one. Most tests are not about fences. */
  trustServer(answer: 'allow' | 'deny', start?: 'open' | 'as proposed'): Promise<void>
  /** Answers the next native box with its second button, Allow. Does nothing on a shell without native boxes. */
  allowInBox(): Promise<void>
  /** Ends it as a person would; resolves with the exit code. */
  quit(): Promise<number | null>
  /** Kills it, as a power cut would. */
  kill9(): Promise<void>
  /** Starts it again on the same folder, quitting first when it still runs; resolves with the new page. */
  restart(): Promise<Page>
  /** Quits, closes browsers, removes a temporary folder. */
  dispose(): Promise<void>
}
