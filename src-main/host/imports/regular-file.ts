import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { readUpTo } from '../../storage/base/json-file.ts'

const MAX_BYTES = 16 * 1024 * 1024

/**
 * The text of a file, by links too; undefined when there is none. Nothing but a regular file is ever read, so that a pipe or a device
 * keeps nobody waiting. Throws ConfigError with a sentence.
 */
export async function readRegularFile(path: string): Promise<string | undefined> {
  try {
    // Not blocking: opening a pipe would otherwise wait for somebody to write to it.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const about = await file.stat()
    if (about.isDirectory()) throw new ConfigError('It is a folder, not a file.')
    if (!about.isFile()) throw new ConfigError('It is a pipe or a device, not a file.')
    if (about.size > MAX_BYTES) throw new ConfigError('It is larger than 16 MiB.')
    // As much as it had when it was looked at: one that grows meanwhile is not followed.
    return new TextDecoder('utf-8', { fatal: true }).decode(await readUpTo(file, about.size))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (error instanceof TypeError) throw new ConfigError('It is not text in UTF-8.')
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new ConfigError(WHY[String(code)] ?? `It could not be read (${String(code)}).`)
  }
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'You may not read it.',
  EPERM: 'You may not read it.',
  ELOOP: 'It is a link that leads back to itself.',
  EISDIR: 'It is a folder, not a file.',
  ENXIO: 'It is a pipe or a device, not a file.',
  ENAMETOOLONG: 'Its path is too long.',
}
