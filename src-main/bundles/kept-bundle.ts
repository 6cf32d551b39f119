import { chmod, readdir, rm } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isObject } from '../../src-shared/base/json.ts'
import { fileDigest } from '../storage/base/file-digest.ts'
import { readJsonFile } from '../storage/base/json-file.ts'
import type { BundleManifest } from './manifest.ts'

/** The folder of installed bundles inside the data folder. */
export const bundlesFolder = (dataFolder: string) => join(dataFolder, 'bundles')

/** Facts that are kept beside an unpacked bundle. */
export interface BundleReceipt {
  readonly sha256: string
  readonly manifest: BundleManifest
  /** SHA-256 by path, with slashes. */
  readonly files: Readonly<Record<string, string>>
  readonly bytes: number
  readonly signed: boolean
  /** The name of the file, or the address, that it came from. */
  readonly source: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The bundle that a path leads into. */
export function bundleAt(dataFolder: string, path: string): { readonly sha256: string; readonly folder: string } | undefined {
  const way = relative(bundlesFolder(dataFolder), path)
  const [sha256 = ''] = isAbsolute(way) ? [] : way.split(sep)
  return /^[0-9a-f]{64}$/.test(sha256) ? { sha256, folder: join(bundlesFolder(dataFolder), sha256) } : undefined
}

export async function readReceipt(dataFolder: string, sha256: string): Promise<BundleReceipt | undefined> {
  const read = await readJsonFile(join(bundlesFolder(dataFolder), `${sha256}.json`))
  // Only we write it, in one piece.
  return isObject(read) && isObject(read.files) ? (read as unknown as BundleReceipt) : undefined
}

/** True while the folder holds exactly the files that were unpacked. */
export async function isUnchanged(dataFolder: string, sha256: string): Promise<boolean> {
  const receipt = await readReceipt(dataFolder, sha256)
  if (!receipt) return false
  const folder = join(bundlesFolder(dataFolder), sha256)
  try {
    const there = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = there.filter((entry) => !entry.isDirectory())
    if (files.length !== Object.keys(receipt.files).length) return false
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name)
      const known = receipt.files[relative(folder, path).replaceAll(sep, '/')]
      if (!entry.isFile() || known === undefined || known !== (await fileDigest(path))) return false
    }
    return true
  } catch {
    return false
  }
}

/** Removes an unpacked bundle, whose folders are read-only. */
export async function removeUnpacked(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {}) // A folder that is not there needs no permission.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []) // A folder that is gone has no files, and is not that of the bundle.
  for (const entry of entries) if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700)
  await rm(folder, { recursive: true, force: true })
}
