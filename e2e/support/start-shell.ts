import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { DoubleShell } from './double-shell.ts'
import { RealElectronShell, wantsRealElectron } from './real-electron-shell.ts'
import { WebShell } from './web-shell.ts'

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
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** A built shell on a data folder, and the page that it shows. */
export interface RunningShell {
  readonly kind: ShellKind
  readonly folder: string
  /** The present one; another after `restart`. */
  readonly page: Page
  readonly pid: number
  /** Console errors and uncaught errors of every page so far. A test ends with none. */
  readonly pageErrors: readonly string[]
  /** The same, forgotten: for a test that provokes them. */
  takePageErrors(): string[]
  /** Everything that the shell has printed. */
  output(): string
  /** A second window on the same host. */
  openWindow(): Promise<Page>
  /** Presses Allow or Deny in the question "Start this server?" that the page shows, and in the native box where there is one. */
  trustServer(answer: 'allow' | 'deny'): Promise<void>
  /** Ends it as a person would; resolves with the exit code. */
  quit(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill9(): Promise<void>
  /** Starts it again on the same folder, quitting first when it still runs; resolves with the new page. */
  restart(): Promise<Page>
  /** Quits, closes browsers, removes a temporary folder. */
  dispose(): Promise<void>
}

/** Starts a shell from `out/`; it must have been built. */
export async function startShell(kind: ShellKind, options: ShellOptions = {}): Promise<RunningShell> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'parley-test-')))
  const forget = async () => {
    if (!options.folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  await options.prepare?.(folder)
  const Shell = kind === 'web' ? WebShell : wantsRealElectron ? RealElectronShell : DoubleShell
  const shell = new Shell(folder, options, forget)
  try {
    await shell.start()
  } catch (error) {
    await shell.dispose().catch(() => {})
    throw error
  }
  shells.set(shell.page, shell)
  return shell
}

const shells = new WeakMap<Page, RunningShell>()

/** For specs that only have the page that the shell began with. */
export function shellOf(page: Page): RunningShell {
  const shell = shells.get(page)
  if (!shell) throw new Error('This page was not opened by startShell')
  return shell
}

/** Answers the open question "Start this server?" in either shell. */
export function trustServer(page: Page, answer: 'allow' | 'deny' = 'allow'): Promise<void> {
  return shellOf(page).trustServer(answer)
}
