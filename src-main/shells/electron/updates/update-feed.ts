import { createPublicKey, type KeyObject } from 'node:crypto'
import { isConfidential } from '../../../../src-shared/base/hosts.ts'

export interface UpdateFeed {
  /** A folder, with a slash at its end. */
  readonly url: URL
  /** Ed25519. */
  readonly key: KeyObject
  /** The name in the certificate of signed installers for Windows. */
  readonly publisher?: string
}

export interface FeedWords {
  readonly url: string
  /** SPKI in base64. */
  readonly key: string
  readonly publisher?: string
}

/**
 * The configured feed, if any. Throws for an untrusted one: a feed must be signed, and use https or this computer.
 */
export function readFeed(words: FeedWords | undefined): UpdateFeed | undefined {
  if (!words?.url) return undefined
  const url = URL.parse(words.url.endsWith('/') ? words.url : `${words.url}/`)
  if (!url || !isConfidential(url)) throw new Error('The update feed is not an https address.')
  const key = publicKey(words.key)
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error('The update feed needs its Ed25519 key.')
  return { url, key, ...(words.publisher && { publisher: words.publisher }) }
}

function publicKey(base64: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** On Linux only an AppImage can replace itself; packages are updated the way they were installed. */
export function canUpdate(os: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  return os !== 'linux' || environment.APPIMAGE !== undefined
}
