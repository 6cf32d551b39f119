import type { AttachmentId } from '../../../src-shared/contract/ids.ts'
import type { StoredMessage } from '../../storage/base/storage.ts'

/** Anthropic refuses requests above 32 MB, base64 and all, and more than a hundred pages. */
const BYTES = 12 * 1024 * 1024
const PAGES = 100

/**
 * Which PDF files of a conversation a model that takes such is given as they are: the oldest that fit, so that what it was told
 * stays the same as the conversation grows. Of the others it is given the text.
 */
export function documentsWithin(messages: readonly StoredMessage[]): ReadonlySet<AttachmentId> {
  const taken = new Set<AttachmentId>()
  let bytes = 0
  let pages = 0
  for (const { message } of messages) {
    for (const part of message.parts) {
      if (part.type !== 'file' || part.pages === undefined || taken.has(part.id)) continue
      if (bytes + part.size > BYTES || pages + part.pages > PAGES) continue
      bytes += part.size
      pages += part.pages
      taken.add(part.id)
    }
  }
  return taken
}
