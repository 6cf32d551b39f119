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

/** Lists every process of macOS: its id, its parent and group, KiB in memory, and the time of all processors. */
export function allProcesses(): SystemCommand {
  return { program: '/bin/ps', args: ['-A', '-o', 'pid=,ppid=,pgid=,rss=,time='] }
}

export function parseProcesses(stdout: string) {
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, kib, time] = line.trim().split(/\s+/)
    if (time === undefined) return []
    return { pid: Number(pid), parent: Number(parent), group: Number(group), memory: Number(kib) * 1024, cpuMs: msOf(time) }
  })
}

/** `ps` prints [[days-]hours:]minutes:seconds. */
function msOf(time: string): number {
  return time
    .split(/[-:]/)
    .reduceRight<[ms: number, unit: number]>(
      ([ms, unit], part) => [ms + Number(part) * unit, unit === 3_600_000 ? 86_400_000 : unit * 60],
      [0, 1000],
    )[0]
}

export function system32(env: Variables, ...names: readonly string[]): string {
  return win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', ...names)
}
