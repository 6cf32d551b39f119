import type { AppUpdater, UpdateInfo } from 'electron-updater'
import type { UpdateState } from '../../../../src-shared/contract/events.ts'
import type { Updates } from '../../../host/core/platform.ts'
import { SignedProvider } from './signed-provider.ts'
import type { UpdateFeed } from './update-feed.ts'

export interface AppUpdatesOptions {
  readonly updater: AppUpdater
  readonly feed: UpdateFeed
  readonly onState: (state: UpdateState) => void
  /** Asks the person outside of the page, and ends the host. False: not now. */
  readonly ready: (version: string) => Promise<boolean>
}

/** Checks, downloads and installs only when asked to. */
export class AppUpdates implements Updates {
  readonly #options: AppUpdatesOptions
  #state: UpdateState = { is: 'unknown' }
  #asking = false

  constructor(options: AppUpdatesOptions) {
    const { updater, feed } = options
    this.#options = options
    Object.assign(updater, {
      autoDownload: false,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      allowPrerelease: false,
      // Only whole files have a signed checksum.
      disableDifferentialDownload: true,
      disableWebInstaller: true,
      logger: null,
      isUserWithinRollout: () => true,
      // In place of a file beside the app.
      configOnDisk: {
        value: Promise.resolve({
          updaterCacheDirName: 'parley-updates',
          ...(feed.publisher && { publisherName: [feed.publisher] }),
        }),
      },
    })
    updater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider, feed })
    updater.on('update-available', ({ version }) => this.#tell({ is: 'available', version }))
    updater.on('update-not-available', () => this.#tell({ is: 'newest' }))
    updater.on('download-progress', ({ percent }) => {
      if (this.#state.is === 'downloading') this.#tell({ ...this.#state, share: Math.floor(percent) / 100 })
    })
    updater.on('update-downloaded', ({ version }: UpdateInfo) => this.#tell({ is: 'ready', version }))
    updater.on('error', (error) => this.#failed(error))
  }

  check(): void {
    if (this.#state.is === 'checking' || this.#state.is === 'downloading') return
    this.#tell({ is: 'checking' })
    // A failure comes as an event, too.
    this.#options.updater.checkForUpdates().catch(() => {})
  }

  download(): void {
    if (this.#state.is !== 'available') return
    this.#tell({ is: 'downloading', version: this.#state.version, share: 0 })
    this.#options.updater.downloadUpdate().catch(() => {}) // A failure comes as an event, too.
  }

  install(): void {
    const { updater, ready } = this.#options
    // One box at a time: a page could open a pile of them to get a yes.
    if (this.#state.is !== 'ready' || this.#asking) return
    this.#asking = true
    ready(this.#state.version)
      .then((yes) => {
        if (yes) updater.quitAndInstall(false, true)
      })
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#asking = false
      })
  }

  #failed(error: unknown): void {
    const said = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? ''
    this.#tell({
      is: 'failed',
      problem: { code: 'update-failed', what: 'The update failed.', said, todo: 'Check again later.' },
    })
  }

  #tell(state: UpdateState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    this.#options.onState(state)
  }
}
