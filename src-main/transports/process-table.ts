import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { allProcesses, parseProcesses } from './system-programs.ts'

const run = promisify(execFile)

/** One line of /proc/<pid>/stat. */
export interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  /** Milliseconds of all processors. */
  readonly cpuMs: number
  readonly startedAt: string
}

/** The sum over a process, its descendants and its group. */
export interface ProcessUsage {
  readonly processes: number
  /** Bytes that are in memory, shared ones counted for each process. */
  readonly memory: number
  readonly cpuMs: number
}

interface ProcessRow extends Pick<ProcessStat, 'pid' | 'parent' | 'group' | 'cpuMs'> {
  readonly memory?: number
}

/** Linux counts the time of processes in hundredths of a second for every program. */
const MS_PER_TICK = 10

export async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined) // The process has ended.
  // The second field is the name in brackets and may itself hold spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields ?? []
  const startedAt = fields?.[19] // field 22 of proc(5), in clock ticks since boot
  if (fields === undefined || state === undefined || group === undefined || startedAt === undefined) return undefined
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  return { pid, state, parent: Number(parent), group: Number(group), cpuMs, startedAt }
}

export async function processIds(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []) // A system without it.
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Without zombies, which are still listed. */
export async function processStats(): Promise<readonly ProcessStat[]> {
  const stats = await Promise.all((await processIds()).map(processStat))
  return stats.filter((stat): stat is ProcessStat => stat !== undefined && stat.state !== 'Z')
}

/** The use of each process that runs; empty where the system does not tell it. */
export async function processUsages(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessUsage>> {
  const rows = await processRows()
  const usages = await Promise.all(
    pids.map(async (pid) => {
      const members = membersOf(pid, rows)
      const memories = await Promise.all(members.map((row) => row.memory ?? residentBytes(row.pid)))
      const usage = { processes: members.length, memory: sum(memories), cpuMs: sum(members.map(({ cpuMs }) => cpuMs)) }
      return [pid, usage] as const
    }),
  )
  return new Map(usages.filter(([, { processes }]) => processes > 0))
}

async function processRows(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return processStats()
  if (process.platform !== 'darwin') return []
  const { program, args } = allProcesses()
  const { stdout } = await run(program, args, { env: { LC_ALL: 'C' }, maxBuffer: 16 * 1024 * 1024 })
  return parseProcesses(stdout)
}

/** Inside a fence every process stays in the tree of the first, even in a group of its own. */
export function membersOf(pid: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const byParent = Map.groupBy(rows, ({ parent }) => parent)
  const found = new Map(rows.filter((row) => row.pid === pid || row.group === pid).map((row) => [row.pid, row]))
  // A Map's iterator also visits entries that are added meanwhile.
  for (const row of found.values()) for (const child of byParent.get(row.pid) ?? []) found.set(child.pid, child)
  return [...found.values()]
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '') // The process has ended.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
