import { createHmac } from 'node:crypto'
import { z } from 'zod'

export const BACKUP_FORMAT = 'parley-backup'
export const BACKUP_VERSION = 1
/** The most bytes of the parts that are read into memory. */
export const SMALL_PARTS = { manifest: 64 * 1024, servers: 16 * 1024 * 1024, secrets: 16 * 1024 * 1024 }
export const PARTS = { manifest: 'manifest.json', database: 'parley.db', servers: 'mcp.json', secrets: 'secrets' }

const size = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const part = (most: number) => z.object({ bytes: size().max(most), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/** The first part of a backup. It lists the parts that follow, in this order, blobs last and by name. */
export type Manifest = z.output<typeof manifest>
export const manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(BACKUP_VERSION),
  /** The version of Parley that made it. */
  by: z.string().max(100),
  at: size().max(8.64e15),
  database: part(Number.MAX_SAFE_INTEGER),
  servers: part(SMALL_PARTS.servers).optional(),
  secrets: part(SMALL_PARTS.secrets).optional(),
  blobs: z.object({ count: size(), bytes: size() }),
  /** HMAC of the rest under the key of the folder that the backup was made from. */
  mark: z.string().max(100),
})

/** A mark that matches shows that the backup was made from the folder with this key. */
export function markOf({ mark: _mark, ...rest }: Manifest, folderKey: Uint8Array): string {
  const { database, servers, secrets, blobs } = rest
  const marked = [rest.by, rest.at, database.sha256, servers?.sha256, secrets?.sha256, blobs.count, blobs.bytes]
  return createHmac('sha256', folderKey)
    .update(`backup\n${JSON.stringify(marked)}`)
    .digest('hex')
}
