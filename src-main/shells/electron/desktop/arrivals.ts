import { resolve } from 'node:path'
import { isObject } from '../../../../src-shared/base/json.ts'
import { isDeepLink, MAX_LINK_LENGTH } from './deep-link.ts'

/** A link or files that the system passes to a start. */
export interface DesktopArrivals {
  readonly link?: string
  /** Absolute. */
  readonly files: readonly string[]
}

const MAX_FILES = 20
const MAX_PATH_LENGTH = 4096

/**
 * The command line before a link: the author of a link may have added switches after it.
 */
export function beforeLink(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex(isDeepLink)
  return at < 0 ? argv : argv.slice(0, at)
}

/** `paths` are the arguments that are not switches, relative to `folder`. */
export function arrivalsOf(argv: readonly string[], paths: readonly string[], folder: string): DesktopArrivals {
  const link = argv.find(isDeepLink)
  if (link !== undefined) return { link: link.slice(0, MAX_LINK_LENGTH + 1), files: [] }
  const usable = paths.filter((path) => path !== '' && path.length <= MAX_PATH_LENGTH && !path.includes('\0'))
  return { files: usable.slice(0, MAX_FILES).map((path) => resolve(folder, path)) }
}

/** Reads the arguments of a second instance; undefined when invalid. */
export function readArrivals(sent: unknown): DesktopArrivals | undefined {
  if (!isObject(sent) || !Array.isArray(sent.files)) return undefined
  const files = sent.files.filter((file) => typeof file === 'string').slice(0, MAX_FILES)
  return { files, ...(typeof sent.link === 'string' && { link: sent.link }) }
}
