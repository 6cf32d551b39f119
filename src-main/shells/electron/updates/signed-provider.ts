import { verify } from 'node:crypto'
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater'
import { Provider, type ProviderRuntimeOptions, parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider.js'
import type { UpdateFeed } from './update-feed.ts'

const MAX_LENGTH = 64 * 1024

/**
 * electron-updater's generic feed, with a signature: `latest….yml` counts only with its `latest….yml.sig`, the Ed25519 signature
 * of its bytes in base64. The checksums of what is downloaded stand in it.
 */
export class SignedProvider extends Provider<UpdateInfo> {
  readonly #feed: UpdateFeed

  /** `given` is what the updater was told, as it came. */
  constructor(given: object, _updater: AppUpdater, options: ProviderRuntimeOptions) {
    super(options)
    if (!('feed' in given)) throw new Error('The provider of updates was told no feed.')
    this.#feed = given.feed as UpdateFeed
  }

  /** The updater would send a number that tells this computer from all others. */
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
    // Before anything in it is read.
    if (!verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64')))
      throw new Error('Its signature is not that of the makers of Parley.')
    return parseUpdateInfo(text, name, file)
  }

  override resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
    return resolveFiles(info, this.#feed.url)
  }
}
