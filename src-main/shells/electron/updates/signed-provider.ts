import { verify } from 'node:crypto'
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater'
import { Provider, type ProviderRuntimeOptions, parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider.js'
import type { UpdateFeed } from './update-feed.ts'

const MAX_LENGTH = 64 * 1024

/**
 * electron-updater's generic feed, with a signature: `latest….yml`, which has the checksums of downloads, counts only with its
 * `latest….yml.sig`, the Ed25519 signature of its bytes in base64.
 */
export class SignedProvider extends Provider<UpdateInfo> {
  readonly #feed: UpdateFeed

  /** `given` are the options of `setFeedURL`. */
  constructor(given: object, _updater: AppUpdater, options: ProviderRuntimeOptions) {
    super(options)
    if (!('feed' in given)) throw new Error('The update provider got no feed.')
    this.#feed = given.feed as UpdateFeed
  }

  /** Removes a header with a unique number of this computer. */
  override setRequestHeaders(): void {
    super.setRequestHeaders(null)
  }

  override async getLatestVersion(): Promise<UpdateInfo> {
    const { url, key } = this.#feed
    const name = `${this.getDefaultChannelName()}.yml`
    const file = new URL(name, url)
    const text = (await this.httpRequest(file)) ?? ''
    const signature = (await this.httpRequest(new URL(`${name}.sig`, url))) ?? ''
    if (text.length > MAX_LENGTH) throw new Error('The feed is too long.')
    // Verified before anything is parsed.
    if (!verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64')))
      throw new Error('It is not signed by the makers of Parley.')
    return parseUpdateInfo(text, name, file)
  }

  override resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
    return resolveFiles(info, this.#feed.url)
  }
}
