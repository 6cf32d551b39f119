import { BACKUP_PIECE } from '../../../src-shared/contract/backups.ts'
import { ask } from '../../state/ask.ts'

/** Uploads a file in pieces without keeping it in memory; gives the name of the upload. */
export async function sendBackup(file: Blob, signal: AbortSignal, onSent: (share: number) => void): Promise<string> {
  let upload: string | undefined
  let from = 0
  do {
    signal.throwIfAborted()
    const piece = await base64(file.slice(from, from + BACKUP_PIECE))
    upload = (await ask('backup.receive', { piece, ...(upload !== undefined && { upload }) })).upload
    from += BACKUP_PIECE
    onSent(file.size === 0 ? 1 : Math.min(1, from / file.size))
  } while (from < file.size)
  return upload
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(new Error('The file could not be read.'))
    reader.readAsDataURL(blob)
  })
}
