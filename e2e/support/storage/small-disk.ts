import { execFile, spawnSync } from 'node:child_process'
import { appendFile, truncate, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const UNSHARE = ['unshare', '--map-root-user', '--mount', 'sh', '-c'] as const

/** True if this system has private mounts: Linux with namespaces. */
export function canMount(): boolean {
  const [program, ...args] = UNSHARE
  return spawnSync(program, [...args, 'mount -t tmpfs tmpfs /mnt']).status === 0
}

/** The beginning of a command line whose program alone sees a small disk at the folder. `prepare` runs first. */
export const onSmallDisk = (folder: string, megabytes: number, prepare = 'true'): readonly [string, ...string[]] => [
  ...UNSHARE,
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && ${prepare} && exec "$@"`,
  folder,
]

/** Runs a script with the folder as its last argument, on which a small disk is mounted. Returns its output. */
export async function runOnSmallDisk(prepare: string, folder: string, script: string, ...args: string[]): Promise<string> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const [program, ...before] = onSmallDisk(folder, 2, prepare)
  const { stdout } = await promisify(execFile)(program, [...before, process.execPath, path, ...args, folder])
  return stdout.trim()
}

/** The small disk of a running program, seen from outside. */
export class SmallDisk {
  readonly #filler: string

  constructor(pid: number, folder: string) {
    this.#filler = `/proc/${pid}/root${folder}/filler`
  }

  /** Fills it to the last byte. */
  async fill(): Promise<void> {
    await writeFile(this.#filler, '')
    const chunk = Buffer.alloc(64 * 1024)
    for (;;) {
      try {
        await appendFile(this.#filler, chunk)
      } catch {
        return
      }
    }
  }

  async empty(): Promise<void> {
    await truncate(this.#filler)
  }
}
