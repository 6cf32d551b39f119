import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { DoubleShell } from './double-shell.ts'
import { RealElectronShell, wantsRealElectron } from './real-electron-shell.ts'
import type { RunningShell, ShellKind, ShellOptions } from './running-shell.ts'
import { WebShell } from './web-shell.ts'

/** Starts a shell from `out/`; it must have been built. */
export async function startShell(kind: ShellKind, options: ShellOptions = {}): Promise<RunningShell> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'parley-test-')))
  const forget = async () => {
    if (options.folder) return
    // A spec's own folders are siblings with its name, because servers may not read inside the data folder.
    const own = (await readdir(dirname(folder))).filter((name) => name.startsWith(basename(folder)))
    await Promise.all(own.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 })))
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

export function shellOf(page: Page): RunningShell {
  const shell = shells.get(page)
  if (!shell) throw new Error('This page was not opened by startShell')
  return shell
}

export function trustServer(page: Page, answer: 'allow' | 'deny' = 'allow'): Promise<void> {
  return shellOf(page).trustServer(answer)
}
