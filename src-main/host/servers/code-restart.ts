import { basename } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { fileDigest } from '../../storage/base/file-digest.ts'
import { cut } from '../core/content-views.ts'
import { type CodeSource, MAX_CODE_ENTRIES, MAX_CODE_FOLDERS } from '../launch/code-files.ts'
import { CodeWatch } from '../launch/code-watch.ts'
import type { ServerTrust } from '../launch/server-trust.ts'

interface CodeRestartParts {
  readonly serverId: ServerId
  readonly clock: Clock
  readonly trust: ServerTrust
  /** Why something else than the person may have changed a file since then; undefined if nothing else may have. */
  readonly doubtSince: (at: number, files: readonly string[]) => string | undefined
  /** `down` when it does not run and did not fail, so that its next start runs the new code. */
  readonly standing: () => 'busy' | 'free' | 'down'
  readonly restart: () => void
  readonly log: (text: string) => void
  readonly onProblem: (problem: Problem | undefined) => void
}

/** Milliseconds between two looks whether a busy server is free. */
const BUSY_WAIT = 1000
const MINUTE = 60_000
/** Restarts in a minute after which the next one waits, longer each time. */
const UNHURRIED = 10

/**
 * Restarts a server when its code changes. A change that a call or another server may have made waits for the person, since nobody has
 * looked at it.
 */
export class CodeRestart {
  readonly #parts: CodeRestartParts
  #key = '[]'
  #watch: CodeWatch | undefined
  /** The hashes of the files whose content is trusted, as last seen. */
  #hashes: Promise<Readonly<Record<string, string | null>>> = Promise.resolve({})
  #doubt = false
  #cancel = () => {}
  #restarts: readonly number[] = []

  constructor(parts: CodeRestartParts) {
    this.#parts = parts
  }

  /** Watches exactly these; `trusted` are the files whose content is part of the launch. */
  follow(sources: readonly CodeSource[], trusted: readonly string[]): void {
    const key = JSON.stringify(sources)
    if (key === this.#key) return
    this.end()
    this.#key = key
    if (sources.length === 0) return
    this.#hashes = hashesOf(trusted)
    const { clock, onProblem } = this.#parts
    this.#watch = new CodeWatch(sources, {
      clock,
      onChange: (files, since) => this.#changed(files, since, trusted),
      onTooMany: () =>
        onProblem({
          code: 'code-not-watched',
          what: `Its code is not watched: there are more than ${MAX_CODE_FOLDERS} folders or ${MAX_CODE_ENTRIES} files around it.`,
          todo: 'Move it to a folder of its own.',
        }),
    })
  }

  /** It runs its present code from now on. */
  started(): void {
    this.#cancel()
    if (!this.#doubt) return
    this.#doubt = false
    this.#parts.onProblem(undefined)
  }

  end(): void {
    this.#key = '[]'
    this.#watch?.end()
    this.#watch = undefined
    this.#cancel()
    this.#doubt = false
    this.#parts.onProblem(undefined)
  }

  async #changed(files: readonly string[], since: number, trusted: readonly string[]): Promise<void> {
    const before = await this.#hashes
    const now = await hashesOf(trusted)
    const missing = trusted.some((file) => now[file] === null && before[file] !== null)
    // A build that removes a file before it writes it again is one edit.
    this.#hashes = Promise.resolve(Object.fromEntries(trusted.map((file) => [file, now[file] ?? before[file] ?? null])))
    const named = namesOf(files)
    const doubt = this.#parts.doubtSince(since, files)
    if (doubt !== undefined) {
      this.#doubt = true
      this.#cancel()
      this.#parts.log(`Not restarted: ${named} changed ${doubt}.`)
      this.#parts.onProblem({
        code: 'code-changed',
        what: `${named} changed ${doubt}.`,
        todo: 'Restart the server to run the new code.',
      })
      return
    }
    await this.#parts.trust.edited(this.#parts.serverId, before, now)
    // A change that nobody has looked at yet is part of the code now.
    if (this.#doubt || !this.#watch) return
    if (missing) {
      this.#cancel()
      return this.#parts.log(`${named} changed. Restarts when the missing code is back.`)
    }
    if (this.#parts.standing() === 'busy') this.#parts.log(`${named} changed. Restarts when its calls have ended.`)
    this.#restartWhenFree(named)
  }

  #restartWhenFree(named: string): void {
    this.#cancel()
    const { clock, standing, log, restart } = this.#parts
    if (standing() === 'down') return
    const wait = standing() === 'busy' ? BUSY_WAIT : this.#backoff()
    const act = () => {
      if (standing() !== 'free') return this.#restartWhenFree(named)
      this.#restarts = [...this.#restarts, clock.now()]
      log(`Restarted: ${named} changed.`)
      restart()
    }
    if (wait === 0) act()
    else this.#cancel = clock.after(wait, act)
  }

  #backoff(): number {
    const now = this.#parts.clock.now()
    this.#restarts = this.#restarts.filter((at) => now - at < MINUTE)
    const over = this.#restarts.length - UNHURRIED
    return over < 0 ? 0 : Math.min(MINUTE, 1000 * 2 ** over)
  }
}

async function hashesOf(files: readonly string[]): Promise<Record<string, string | null>> {
  const hashes = await Promise.all(files.map(async (file) => [file, await fileDigest(file)] as const))
  return Object.fromEntries(hashes)
}

function namesOf(files: readonly string[]): string {
  const [first = ''] = files
  const others = files.length - 1
  return `${cut(basename(first), 80)}${others > 0 ? ` and ${others} other ${others > 1 ? 'files' : 'file'}` : ''}`
}
