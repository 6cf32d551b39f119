/** The file was moved, or is a folder. */
export class UnreadableFile extends Error {}

/** Reads a part of a file as base64. Rejects with UnreadableFile. */
export function readBase64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    reader.onerror = () => reject(new UnreadableFile('The file could not be read.'))
    reader.readAsDataURL(part)
  })
}
