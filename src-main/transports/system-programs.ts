import { win32 } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

interface SystemCommand {
  /** Absolute, so that PATH does not decide which program runs. */
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Ends a Windows process and its descendants by force: a console program without a window ignores a polite request, and the end of
 * its input was one already.
 */
export function endTree(pid: number, env: Variables): SystemCommand {
  return { program: system32(env, 'taskkill.exe'), args: ['/PID', String(pid), '/T', '/F'] }
}

/** Prints the start time of a process in the system's notation, or nothing. Linux has /proc for it. */
export function startTimeOf(pid: number, windows: boolean, env: Variables): SystemCommand {
  if (!windows) return { program: '/bin/ps', args: ['-o', 'lstart=', '-p', String(pid)] }
  const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`
  return {
    program: system32(env, 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
  }
}

export function system32(env: Variables, ...names: readonly string[]): string {
  return win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', ...names)
}
