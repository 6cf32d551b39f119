import { win32 } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

interface SystemCommand {
  /** Absolute: whatever lies in front on a PATH is not asked. */
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Ends a process of Windows and all below it. By force at once: a console program without a window refuses to be asked, and what was
 * to be said softly was the end of its input.
 */
export function endTree(pid: number, env: Variables): SystemCommand {
  return { program: system32(env, 'taskkill.exe'), args: ['/PID', String(pid), '/T', '/F'] }
}

/** Prints when a process was started, in words of the system; nothing when there is none. Linux says it in /proc. */
export function startTimeOf(pid: number, windows: boolean, env: Variables): SystemCommand {
  if (!windows) return { program: '/bin/ps', args: ['-o', 'lstart=', '-p', String(pid)] }
  const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`
  return {
    program: system32(env, 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
  }
}

/** A program of Windows itself. */
export function system32(env: Variables, ...names: readonly string[]): string {
  return win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', ...names)
}
