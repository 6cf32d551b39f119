import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { readUpTo } from '../../storage/base/json-file.ts'

const MAX_BYTES = 16 * 1024 * 1024

/**
 * The text of a file, also through links; undefined when there is none. Pipes and devices are refused, because reading them could wait
 * for ever. Throws ConfigError.
 */
export async function readRegularFile(path: string): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const about = await file.stat()
    if (about.isDirectory()) throw new ConfigError('It is a folder, not a file.')
    if (!about.isFile()) throw new ConfigError('It is a pipe or a device, not a file.')
    if (about.size > MAX_BYTES) throw new ConfigError('It is larger than 16 MiB.')
    // A file that grows meanwhile is read up to its size at `stat`.
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
  EACCES: 'You do not have permission to read it.',
  EPERM: 'You do not have permission to read it.',
  ELOOP: 'It is a link that leads back to itself.',
  EISDIR: 'It is a folder, not a file.',
  ENXIO: 'It is a pipe or a device, not a file.',
  ENAMETOOLONG: 'Its path is too long.',
}
