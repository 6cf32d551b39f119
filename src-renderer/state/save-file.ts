import { systemClock } from '../../src-shared/base/clock.ts'
import type { BlobRef } from '../../src-shared/contract/blobs.ts'
import { ask } from './ask.ts'

/** Downloads an address of this page as a file. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

export async function saveBlob(blob: BlobRef, name: string): Promise<void> {
  saveFrom((await ask('blob.saveLink', { blob, name })).url, name)
}

export function saveText(text: string | readonly string[], name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob(typeof text === 'string' ? [text] : [...text], { type: mimeType }))
  saveFrom(url, name)
  // The download goes on without the address.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}
