import { BUNDLE_PIECE, type ImportSource } from '../../src-shared/contract/imports.ts'
import { ask } from './ask.ts'
import { sendInPieces } from './send-in-pieces.ts'

/** Gives a bundle to the host for review; nothing of it runs. */
export async function sendBundle(file: File): Promise<ImportSource> {
  const bundle = await sendInPieces(file, BUNDLE_PIECE, async (piece, upload) => {
    const sent = await ask('import.receive', { piece, ...(upload !== undefined && { upload }) })
    return sent.upload
  })
  return { bundle, name: file.name }
}
