import { readBase64 } from './read-base64.ts'

/**
 * Uploads a file in pieces of `size` bytes without keeping it in memory; `send` takes base64 and gives the name of the upload, which
 * goes with the next piece.
 */
export async function sendInPieces(
  file: Blob,
  size: number,
  send: (piece: string, upload: string | undefined) => Promise<string>,
): Promise<string> {
  let upload: string | undefined
  let from = 0
  do {
    upload = await send(await readBase64(file.slice(from, from + size)), upload)
    from += size
  } while (from < file.size)
  return upload
}
