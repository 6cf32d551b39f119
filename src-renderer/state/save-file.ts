import { systemClock } from '../../src-shared/base/clock.ts'
import type { BlobRef } from '../../src-shared/contract/blobs.ts'
import { ask } from './ask.ts'

/** Saves what an address of this page gives as a file. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Saves a blob as a file, whatever it is. */
export async function saveBlob(blob: BlobRef, name: string): Promise<void> {
  saveFrom((await ask('blob.saveLink', { blob, name })).url, name)
}

/** Saves a text of this window as a file, or its parts one after another. */
export function saveText(text: string | readonly string[], name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob(typeof text === 'string' ? [text] : [...text], { type: mimeType }))
  saveFrom(url, name)
  // The browser holds on to what it downloads; the address itself is of no more use.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}
