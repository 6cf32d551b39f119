import { createPublicKey, type KeyObject } from 'node:crypto'
import { isLoopbackHost } from '../../../../src-shared/base/hosts.ts'

/** Where updates are announced, and who may. */
export interface UpdateFeed {
  /** A folder, with a slash at its end. */
  readonly url: URL
  /** Ed25519. */
  readonly key: KeyObject
  /** Of the certificate that installers for Windows are signed with; absent when they are not. */
  readonly publisher?: string
}

export interface FeedWords {
  readonly url: string
  /** SPKI in base64. */
  readonly key: string
  readonly publisher?: string
}

/**
 * The feed that a build was made with; undefined when there is none. Throws for one that could not be trusted: a feed is https, or on
 * this computer, and is signed.
 */
export function readFeed(words: FeedWords | undefined): UpdateFeed | undefined {
  if (!words?.url) return undefined
  const url = URL.parse(words.url.endsWith('/') ? words.url : `${words.url}/`)
  const here = url?.protocol === 'http:' && isLoopbackHost(url.hostname)
  if (!url || (url.protocol !== 'https:' && !here)) throw new Error('The feed of updates is not an https address.')
  const key = publicKey(words.key)
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error('The feed of updates needs the Ed25519 key that it is signed with.')
  return { url, key, ...(words.publisher && { publisher: words.publisher }) }
}

function publicKey(base64: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Deb and tar.gz are updated the way they were installed; an AppImage knows its own file. */
export function canUpdate(os: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  return os !== 'linux' || environment.APPIMAGE !== undefined
}
