import type { FileAttachment } from '../../../src-shared/contract/attachments.ts'
import type { AttachmentId } from '../../../src-shared/contract/ids.ts'
import type { StoredMessage } from '../../storage/base/storage.ts'

/** Anthropic refuses requests above 32 MB, including base64, and more than a hundred pages. */
const BYTES = 12 * 1024 * 1024
const PAGES = 100

type SentFile = Pick<FileAttachment, 'id' | 'size' | 'pages'>

/**
 * The PDF files that a model gets as files; it gets the text of all others. Those `before` the conversation and its oldest come first, so
 * that the choice stays the same as the conversation grows; `after` are not sent yet.
 */
export function documentsWithin(
  messages: readonly StoredMessage[],
  before: readonly SentFile[] = [],
  after: readonly SentFile[] = [],
): ReadonlySet<AttachmentId> {
  const taken = new Set<AttachmentId>()
  let bytes = 0
  let pages = 0
  const attached = messages.flatMap(({ message }) => message.parts.filter((part) => part.type === 'file'))
  for (const file of [...before, ...attached, ...after]) {
    if (file.pages === undefined || taken.has(file.id)) continue
    if (bytes + file.size > BYTES || pages + file.pages > PAGES) continue
    bytes += file.size
    pages += file.pages
    taken.add(file.id)
  }
  return taken
}
