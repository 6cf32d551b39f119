import { BACKUP_PIECE } from '../../../src-shared/contract/backups.ts'
import { ask } from '../../state/ask.ts'
import { sendInPieces } from '../../state/send-in-pieces.ts'

/** Uploads a backup; gives the name of the upload. */
export function sendBackup(file: Blob, signal: AbortSignal, onSent: (share: number) => void): Promise<string> {
  let pieces = 0
  return sendInPieces(file, BACKUP_PIECE, async (piece, upload) => {
    signal.throwIfAborted()
    const sent = await ask('backup.receive', { piece, ...(upload !== undefined && { upload }) })
    pieces += 1
    onSent(file.size === 0 ? 1 : Math.min(1, (pieces * BACKUP_PIECE) / file.size))
    return sent.upload
  })
}
