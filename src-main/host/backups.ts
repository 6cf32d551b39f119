import type { BackupContents, BackupFile, DataSizes } from '../../src-shared/contract/backups.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import type { HostCore } from './core/host-core.ts'

/** Milliseconds for which a backup that was made can be saved. */
const KEPT = 60 * 60_000

type Parts = Pick<HostCore, 'storage' | 'platform' | 'clock' | 'state' | 'lifetime'>

/** Backups of the data folder, made for the person and taken from them: one at a time. */
export class Backups {
  readonly #parts: Parts
  #made: { readonly sha256: string; readonly path: string } | undefined
  #forget = () => {}
  #reviewed: BackupContents | undefined
  #share: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    const { storage, state, clock, lifetime } = parts
    lifetime.onEnd(() => this.#forget())
    const { restored, opened, undone } = storage.backups
    if (undone) {
      const { kept, said, isDatabase } = undone
      const what = `${isDatabase ? 'The copy of the database' : 'The restored backup'} could not be used. Your earlier data is back.`
      const todo = `${isDatabase ? 'The copy' : 'The content of the backup'} is kept in ${kept}.`
      state.notice('warning', { code: 'restore-undone', what, ...(said !== undefined && { said }), todo }, clock.now())
    }
    if (opened !== undefined) {
      const todo = `Your earlier data is kept in ${opened}.`
      state.notice('info', { code: 'copy-opened', what: 'A copy of the database was opened.', todo }, clock.now())
    }
    if (restored === undefined) return
    const todo = `Your earlier data is kept in ${restored}. To use it, start Parley with --data.`
    state.notice('info', { code: 'restored', what: 'The backup was restored.', todo }, clock.now())
  }

  /** Progress of the backup under way, 0 to 1; null when there is none. */
  get share(): number | null {
    return this.#share
  }

  async read(): Promise<{ sizes: DataSizes; waiting: boolean; copy?: { at: number } }> {
    const { backups, damage } = this.#parts.storage
    const { copy } = damage
    return { sizes: await backups.sizes(), waiting: backups.waiting, ...(copy && { copy: { at: copy.at } }) }
  }

  /** Puts the copy from before the damage in the database's place, at the next start. */
  async openCopy(signal: AbortSignal): Promise<void> {
    const { storage, platform } = this.#parts
    const { copy } = storage.damage
    if (!copy) throw new HostError('not-found', 'There is no copy to open.')
    await this.#alone(signal, async () => {
      // The copy brings back rules that were removed since.
      if (platform.confirmData && !(await platform.confirmData({ is: 'open-copy', at: copy.at }, signal)))
        throw new HostError('refused', 'Denied. Nothing was changed.')
      await storage.backups.acceptCopy(copy.path)
    })
    this.#reviewed = undefined
  }

  /** Throws HostError `conflict` when the copy is to be opened at the next start. */
  async removeCopy(): Promise<void> {
    const { backups, damage } = this.#parts.storage
    if (backups.waiting) throw new HostError('conflict', 'Parley will open the copy at its next start.')
    await damage.removeCopy()
  }

  /** Path of the backup that a link to `blob` saves. */
  fileOf(blob: string): string | undefined {
    return this.#made?.sha256 === blob ? this.#made.path : undefined
  }

  async make(passphrase: string | undefined, signal: AbortSignal): Promise<BackupFile> {
    const { storage, platform, clock } = this.#parts
    return this.#alone(signal, async () => {
      if (passphrase !== undefined && platform.confirmData && !(await platform.confirmData({ is: 'give-secrets' }, signal)))
        throw new HostError('refused', 'Denied. No backup was made.')
      this.#forget()
      const at = clock.now()
      const made = await storage.backups.make({
        by: platform.version,
        at,
        signal,
        onProgress: (share) => this.#showProgress(share),
        ...(passphrase !== undefined && { passphrase }),
      })
      this.#made = made
      const cancel = clock.after(KEPT, () => {
        this.#forget()
        storage.backups.forget().catch(() => {}) // The next start removes a file that is left.
      })
      this.#forget = () => {
        cancel()
        this.#made = undefined
        this.#forget = () => {}
      }
      const name = `Parley ${new Date(at).toISOString().slice(0, 10)}.parley-backup`
      const { bytes, secretsLeftOut, blobsLeftOut } = made
      return { url: platform.blobLink(made.sha256, 'application/octet-stream', name), name, bytes, secretsLeftOut, blobsLeftOut }
    })
  }

  async receive(piece: string, upload?: string): Promise<string> {
    if (upload === undefined) this.#reviewed = undefined
    return this.#parts.storage.backups.receive(Buffer.from(piece, 'base64'), upload)
  }

  async review(upload: string, signal: AbortSignal): Promise<BackupContents> {
    const { backups } = this.#parts.storage
    return this.#alone(signal, async () => {
      this.#reviewed = await backups.review(upload, signal, (share) => this.#showProgress(share))
      return this.#reviewed
    })
  }

  async restore(passphrase: string | undefined, signal: AbortSignal): Promise<void> {
    const { storage, platform } = this.#parts
    const backup = this.#reviewed
    if (!backup) throw new HostError('not-found', 'No backup was reviewed. Choose the file again.')
    const withSecrets = passphrase !== undefined
    // No other backup is read meanwhile, so the accepted one is the one that was shown.
    await this.#alone(signal, async () => {
      if (platform.confirmData && !(await platform.confirmData({ is: 'restore', backup, withSecrets }, signal)))
        throw new HostError('refused', 'Denied. Nothing was restored.')
      await storage.backups.accept(passphrase)
    })
    this.#reviewed = undefined
  }

  async drop(): Promise<void> {
    this.#reviewed = undefined
    await this.#parts.storage.backups.drop()
  }

  #showProgress(share: number): void {
    this.#share = share
  }

  async #alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#share !== null) throw new HostError('conflict', 'Another backup is already running.')
    this.#share = 0
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw new HostError('cancelled', 'Cancelled.')
      throw error
    } finally {
      this.#share = null
    }
  }
}
